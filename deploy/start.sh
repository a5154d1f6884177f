#!/bin/sh
# Entry point of the container: copies the image's compiled code to the writable cache, then starts royalcrypt.
set -eu
if [ -w "$ROYALCRYPT_CACHE_DIR" ]; then
    cp -R /opt/royalcrypt/compiled/. "$ROYALCRYPT_CACHE_DIR"
fi
exec royalcrypt "$@"
