// A rotating log file of whole lines, with one previous file.
import { closeSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'

export interface LogFile {
  write(piece: Buffer): void
  /** Returns the output since the previous call, unless it was rotated away. */
  readNew(): string
  close(): void
}

const newline = 0x0a

/** Appends to a file, which is rotated to `<path>.1` before it exceeds `maxBytes`. A full disk only drops lines. */
export function logFile(path: string, maxBytes: number): LogFile {
  const open = (): number => openSync(path, 'a', 0o600)
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let file = open()
  let readFrom = bytes
  let isWithinLine = false

  function append(piece: Buffer): void {
    try {
      for (let rest = piece; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest))
    } catch {
      // A full disk must not end the programs, so lines that cannot be written are dropped.
    }
    bytes += piece.length
    if (piece.length > 0) isWithinLine = piece.at(-1) !== newline
  }
  function rotate(): void {
    bytes = 0
    readFrom = 0
    try {
      renameSync(path, `${path}.1`)
      const next = open()
      closeSync(file)
      file = next
    } catch {
      // If no new file can be created, this one continues.
    }
  }
  if (bytes > maxBytes) rotate()

  return {
    write(piece) {
      for (let rest = piece; rest.length > 0; ) {
        const space = Math.max(0, maxBytes - bytes)
        const fits = rest.length <= space ? rest.length : rest.subarray(0, space).lastIndexOf(newline) + 1
        // A line is never split between two files, even if it is longer than a file may be.
        const taken = fits > 0 || !(isWithinLine || bytes === 0) ? fits : rest.indexOf(newline) + 1 || rest.length
        append(rest.subarray(0, taken))
        rest = rest.subarray(taken)
        if (rest.length > 0 && !isWithinLine) rotate()
      }
    },
    readNew() {
      const text = readFileSync(path).subarray(readFrom).toString('utf8')
      readFrom = bytes
      return text
    },
    close: () => closeSync(file),
  }
}
