/** Synthesises sounds from tones and noise, without files. */

export type Sound = "placed" | "pushed" | "rolling" | "treasure" | "exhausted" | "turn" | "end";

interface Tone {
  /** Start, in seconds. */
  at: number;
  pitch: number;
  /** The pitch at the end, if it glides. */
  to?: number;
  length: number;
  loudness: number;
  shape?: OscillatorType;
}
interface Knock {
  at: number;
  /** Centre frequency of the noise, in hertz. */
  pitch: number;
  to?: number;
  length: number;
  loudness: number;
  narrowness?: number;
}

const NOISE_SECONDS = 1;
const SHORTEST = 0.004;
const SILENCE = 0.0001;

export class Synth {
  private readonly context = new AudioContext();
  private readonly master = this.context.createGain();
  private readonly noise = this.makeNoise();

  constructor() {
    const limit = this.context.createDynamicsCompressor();
    this.master.connect(limit).connect(this.context.destination);
  }

  /** Resumes the audio context; browsers allow it only after a user gesture. */
  unlock(): void {
    if (this.context.state === "suspended") void this.context.resume().catch(() => undefined);
  }

  close(): void {
    void this.context.close();
  }

  /** `lasts`, in milliseconds, is for sounds of variable length. */
  play(sound: Sound, volume: number, lasts = 600): void {
    this.unlock();
    this.master.gain.value = volume * volume;
    const { tones = [], knocks = [] } = SOUNDS[sound](lasts / 1000);
    for (const tone of tones) this.tone(tone);
    for (const knock of knocks) this.knock(knock);
  }

  private tone({ at, pitch, to = pitch, length, loudness, shape = "sine" }: Tone): void {
    const source = this.context.createOscillator();
    const begin = this.context.currentTime + at;
    source.type = shape;
    source.frequency.setValueAtTime(pitch, begin);
    source.frequency.exponentialRampToValueAtTime(to, begin + length);
    this.fade(source, begin, length, loudness);
  }

  private knock({ at, pitch, to = pitch, length, loudness, narrowness = 1.2 }: Knock): void {
    const source = this.context.createBufferSource();
    const begin = this.context.currentTime + at;
    const filter = this.context.createBiquadFilter();
    source.buffer = this.noise;
    filter.type = "bandpass";
    filter.Q.value = narrowness;
    filter.frequency.setValueAtTime(pitch, begin);
    filter.frequency.exponentialRampToValueAtTime(to, begin + length);
    source.connect(filter);
    this.fade(source, begin, length, loudness, filter);
  }

  /** Fast attack, slow release. */
  private fade(
    source: AudioScheduledSourceNode,
    begin: number,
    length: number,
    loudness: number,
    last: AudioNode = source,
  ): void {
    const gain = this.context.createGain();
    gain.gain.setValueAtTime(SILENCE, begin);
    gain.gain.exponentialRampToValueAtTime(loudness, begin + SHORTEST);
    gain.gain.exponentialRampToValueAtTime(SILENCE, begin + length);
    last.connect(gain).connect(this.master);
    source.start(begin);
    source.stop(begin + length);
  }

  private makeNoise(): AudioBuffer {
    const { sampleRate } = this.context;
    const buffer = this.context.createBuffer(1, NOISE_SECONDS * sampleRate, sampleRate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
    return buffer;
  }
}

type Score = { tones?: Tone[]; knocks?: Knock[] };

/** A die on wood. */
const clack = (at: number, loudness: number, pitch = 1900): Knock => ({ at, pitch, length: 0.05, loudness });
/** A small bell with an overtone. */
const bell = (at: number, pitch: number, length: number, loudness: number): Tone[] => [
  { at, pitch, length, loudness },
  { at, pitch: pitch * 2.76, length: length / 3, loudness: loudness / 4 },
];

const SOUNDS: Record<Sound, (lasts: number) => Score> = {
  placed: () => ({
    tones: [{ at: 0, pitch: 190, to: 90, length: 0.09, loudness: 0.5 }],
    knocks: [clack(0, 0.7)],
  }),
  pushed: () => ({
    tones: [{ at: 0.16, pitch: 130, to: 60, length: 0.16, loudness: 0.6 }],
    knocks: [
      { at: 0, pitch: 1400, to: 420, length: 0.22, loudness: 0.5, narrowness: 0.8 },
      clack(0.18, 0.6, 1100),
    ],
  }),
  rolling: (lasts) => {
    // Closer together and softer, as dice come to rest.
    const knocks: Knock[] = [];
    for (let at = 0, gap = 0.12; at < lasts - 0.05; at += gap, gap *= 0.86)
      knocks.push(clack(at, 0.65 * (1 - (0.6 * at) / lasts), 1500 + 900 * Math.random()));
    return { knocks: knocks.slice(0, 14) };
  },
  treasure: () => ({ tones: [...bell(0, 1319, 0.35, 0.28), ...bell(0.09, 1760, 0.5, 0.28)] }),
  exhausted: () => ({
    tones: [{ at: 0, pitch: 233, to: 98, length: 0.45, loudness: 0.4, shape: "triangle" }],
    knocks: [{ at: 0, pitch: 500, to: 180, length: 0.3, loudness: 0.2 }],
  }),
  turn: () => ({
    tones: [...bell(0, 523, 0.5, 0.35), ...bell(0.14, 659, 0.5, 0.35), ...bell(0.28, 784, 0.8, 0.35)],
  }),
  end: () => ({
    tones: [392, 523, 659, 784, 1047].flatMap((pitch, index) => bell(0.16 * index, pitch, 1.1, 0.3)),
  }),
};
