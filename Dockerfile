# One image for `serve` and `bot-worker`, installed from the lock files.
# docker build -t royalcrypt:0.1 .

FROM node:22-bookworm-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --loglevel error
COPY web ./
COPY src/royalcrypt/locales /build/src/royalcrypt/locales
RUN npm run build -- --logLevel warn

FROM python:3.11-slim-bookworm AS package
WORKDIR /build
RUN python -m venv --without-pip /opt/royalcrypt
COPY requirements/cluster.lock requirements/
RUN pip --python /opt/royalcrypt/bin/python install --no-cache-dir --disable-pip-version-check \
    --no-deps --require-hashes --only-binary :all: -r requirements/cluster.lock
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY --from=page /build/src/royalcrypt/server/page src/royalcrypt/server/page
RUN pip --python /opt/royalcrypt/bin/python install --no-cache-dir --disable-pip-version-check \
    --no-index --no-deps --no-build-isolation .
# Compiles the strongest bots for a generic processor, because the image runs on other machines than it is built on.
COPY scripts/warm.py scripts/
RUN NUMBA_CPU_NAME=generic ROYALCRYPT_CACHE_DIR=/opt/royalcrypt/compiled /opt/royalcrypt/bin/python scripts/warm.py
COPY deploy/start.sh /opt/royalcrypt/bin/start
RUN chmod 0755 /opt/royalcrypt/bin/start && mkdir /opt/empty

FROM python:3.11-slim-bookworm
COPY --from=package /opt/royalcrypt /opt/royalcrypt
# Mount something writable here: a volume for SQLite, otherwise a tmpfs.
COPY --from=package --chown=10001:10001 /opt/empty /var/lib/royalcrypt
COPY --from=package --chown=10001:10001 /opt/empty /var/cache/royalcrypt
ENV PATH=/opt/royalcrypt/bin:$PATH \
    HOME=/tmp \
    NUMBA_CPU_NAME=generic \
    PYTHONDONTWRITEBYTECODE=1 \
    ROYALCRYPT_CACHE_DIR=/var/cache/royalcrypt \
    ROYALCRYPT_DATA=/var/lib/royalcrypt \
    ROYALCRYPT_HOST=0.0.0.0 \
    ROYALCRYPT_LOG_FORMAT=json \
    ROYALCRYPT_PORT=8642
USER 10001:10001
EXPOSE 8642
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-I", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8642/health', timeout=2)"]
ENTRYPOINT ["start"]
CMD ["serve"]
