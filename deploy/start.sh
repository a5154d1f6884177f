#!/bin/sh
# What a container starts: royalcrypt with the machine code that came with the image, where it may add to it.
set -eu
if [ -w "$ROYALCRYPT_CACHE_DIR" ]; then
    cp -R /opt/royalcrypt/compiled/. "$ROYALCRYPT_CACHE_DIR"
fi
exec royalcrypt "$@"
