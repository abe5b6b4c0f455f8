// A virtual screen (Xvfb), and pictures of what its windows show.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { crc32, deflateSync } from 'node:zlib'
import { atEnd } from '../../bench/setup/at-end.ts'

export const screenPath = '/usr/bin/Xvfb'

/** The part of the screen below `above` rows, from its left edge. */
interface Area {
  width: number
  height: number
  above: number
}

export interface Screen {
  display: string
  /** A PNG of a part of the screen. */
  picture(area: Area): Buffer
  close(): void
}

/** Starts a screen that is larger than every window. */
export async function startScreen(): Promise<Screen> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-screen-'))
  const args = ['-displayfd', '1', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp', '-fbdir', directory]
  const screen = spawn(screenPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const close = atEnd(() => {
    screen.kill()
    rmSync(directory, { recursive: true, force: true })
  })
  const [display] = await once(createInterface(screen.stdout), 'line')
  return {
    display: `:${display}`,
    picture: (area) => pngOf(readFileSync(join(directory, 'Xvfb_screen0')), area),
    close,
  }
}

/** Converts a part of an X window dump, with four bytes (blue, green, red, unused) per pixel, to a PNG. */
function pngOf(dump: Buffer, { width, height, above }: Area): Buffer {
  const headerBytes = dump.readUInt32BE(0)
  const bytesPerLine = dump.readUInt32BE(48)
  const colours = dump.readUInt32BE(76)
  const start = headerBytes + colours * 12
  const rows = Buffer.alloc(height * (1 + 3 * width))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = start + (y + above) * bytesPerLine + 4 * x
      const to = y * (1 + 3 * width) + 1 + 3 * x
      for (const channel of [0, 1, 2]) rows[to + channel] = dump[from + 2 - channel] ?? 0
    }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  const sum = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
