/**
 * SHA-256 and HMAC-SHA-256. Browsers offer them only to pages that came over https or from the same machine; a game
 * in the local network is neither, and is checked all the same.
 */

type Bytes = Uint8Array<ArrayBuffer>;

export interface Digester {
  sha256(message: Bytes): Promise<Bytes>;
  /** Binds a key; what it gives signs messages. */
  hmac(key: Bytes): Promise<(message: Bytes) => Promise<Bytes>>;
}

export function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Null for what is not an even number of hexadecimal digits. */
export function fromHex(text: string): Bytes | null {
  if (!/^([0-9a-f]{2})*$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function browsersOwn(subtle: SubtleCrypto): Digester {
  return {
    sha256: async (message) => new Uint8Array(await subtle.digest("SHA-256", message)),
    hmac: async (secret) => {
      const key = await subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return async (message) => new Uint8Array(await subtle.sign("HMAC", key, message));
    },
  };
}

const BLOCK = 64;

export const written: Digester = {
  sha256: (message) => Promise.resolve(sha256(message)),
  hmac: (secret) => {
    const key = new Uint8Array(BLOCK);
    key.set(secret.length > BLOCK ? sha256(secret) : secret);
    const inner = key.map((byte) => byte ^ 0x36);
    const outer = key.map((byte) => byte ^ 0x5c);
    return Promise.resolve((message) =>
      Promise.resolve(sha256(joined(outer, sha256(joined(inner, message))))),
    );
  },
};

/** Not every context has one, whatever its type says. */
const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
export const digester: Digester = subtle ? browsersOwn(subtle) : written;

function joined(first: Bytes, second: Bytes): Bytes {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next += 1) {
    if (found.every((prime) => next % prime)) found.push(next);
  }
  return found;
}

/** The first 32 bits behind the point. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const PRIMES = firstPrimes(64);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** FIPS 180-4. */
function sha256(message: Bytes): Bytes {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((message.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (message.length * 8) >>> 0);
  const state = Uint32Array.from(START);
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

function compress(state: Uint32Array, block: DataView, at: number): void {
  const words = new Uint32Array(64);
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 64; index += 1) {
    if (index < 16) words[index] = block.getUint32(at + index * 4);
    else {
      const near = word(index - 2);
      const far = word(index - 15);
      const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
      const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
      words[index] = word(index - 16) + low + word(index - 7) + high;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + big + chosen + (ROUNDS[index] ?? 0) + word(index)) | 0;
    const small = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const most = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + small + most) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] ?? 0) + value));
}
