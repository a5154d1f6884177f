"""A real nginx in front of several servers: whoever comes is sent to the next of them, or near others."""

import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.services.processes import Service, program

CONNECTIONS = 8192
IN_TURN, NEAR = "", "hash $arg_near;"
CONFIG = """
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile {files};
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections {connections}; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  upstream servers {{
    {choice}
    {servers}
    keepalive 16;
  }}
  server {{
    listen 127.0.0.1:{port} backlog=2048;
    location / {{
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_connect_timeout 1s;
      proxy_read_timeout 120s;
      proxy_send_timeout 120s;
      proxy_buffering off;
      proxy_next_upstream error timeout;
    }}
  }}
}}
"""


class Nginx(Service):
    name = "nginx"

    def __init__(self, ports: Sequence[int], *, gathers: bool = False) -> None:
        """Of the servers; one that is gone is left out for a second. ``gathers`` whoever wants to be near."""
        super().__init__()
        servers = "\n    ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports)
        is_root = os.geteuid() == 0
        self.config = self.folder / "nginx.conf"
        self.config.write_text(
            CONFIG.format(
                user="user root;" if is_root else "",
                files=2 * CONNECTIONS,
                connections=CONNECTIONS,
                folder=self.folder,
                choice=NEAR if gathers else IN_TURN,
                servers=servers,
                port=self.port,
            )
        )

    def command(self) -> list[str]:
        return [
            program("nginx", str(Path("/usr/sbin/nginx"))),
            *("-p", str(self.folder), "-c", str(self.config), "-e", str(self.folder / "error.log")),
        ]

    def is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"
