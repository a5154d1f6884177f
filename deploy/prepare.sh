#!/bin/sh
# Run once before the first `docker compose up`: makes passwords and a self-signed certificate. Keeps existing files.
#
#   sh deploy/prepare.sh crypt.example.org
#   sh deploy/prepare.sh localhost:8443 [FOLDER]
set -eu
place=${1:?"usage: sh deploy/prepare.sh HOST[:PORT] [FOLDER]"}
host=${place%%:*}
port=${place#"$host"}
port=${port#:}
folder=${2:-$(dirname "$0")/..}
umask 077

if [ ! -e "$folder/.env" ]; then
    sed -e "s|^PUBLIC_URL=.*|PUBLIC_URL=https://$place|" \
        -e "s|^HTTPS_PORT=.*|HTTPS_PORT=${port:-443}|" \
        -e "s|^POSTGRES_PASSWORD=.*|POSTGRES_PASSWORD=$(openssl rand -hex 24)|" \
        -e "s|^REDIS_PASSWORD=.*|REDIS_PASSWORD=$(openssl rand -hex 24)|" \
        "$(dirname "$0")/env.example" > "$folder/.env"
    echo "Written: $folder/.env"
fi

certificates=$folder/deploy/certificates
if [ ! -e "$certificates/fullchain.pem" ]; then
    mkdir -p "$certificates"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$host" \
        -addext "subjectAltName=DNS:$host,DNS:localhost,IP:127.0.0.1" \
        -keyout "$certificates/privkey.pem" -out "$certificates/fullchain.pem" 2> /dev/null
    echo "Written: $certificates, a self-signed certificate; replace it with a real one."
fi
