// The recording of a call: a still picture of grey bars for five seconds, MP4 with H.264.

import { readFileSync } from 'node:fs'

const recorded = readFileSync(new URL('./call-recording.mp4', import.meta.url))

/** Where the movie's header has the seconds since 1904 at which it was made (ISO 14496-12 §8.2.2). */
const madeAtOffset = recorded.indexOf('mvhd') + 8
const secondsFrom1904 = 2_082_844_800

/** The recording, made at this time, so that no two calls have the same file. Its field begins again in 2040. */
export function recording(at: Date): Buffer {
  const bytes = Buffer.from(recorded)
  bytes.writeUInt32BE((Math.floor(at.getTime() / 1000) + secondsFrom1904) % 2 ** 32, madeAtOffset)
  return bytes
}
