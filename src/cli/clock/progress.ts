// How far time has passed: a bar that is written over where a person looks, a line for each tenth where a file or a pipe does.

export interface Progress {
  isAt(instant: number): void
  /** Time stands at this instant until these are done. */
  waitsFor(instant: number, names: string[]): void
  end(): void
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

export function progressOn(output: Output, began: number, end: number): Progress {
  const shareAt = (instant: number): number => Math.min(1, (instant - began) / (end - began))
  return output.isTTY ? bar(output, shareAt) : lines(output, shareAt)
}

const width = 30
const clearLine = '\r\x1b[K'
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

function bar(output: Output, shareAt: (instant: number) => number): Progress {
  function draw(instant: number, note: string): void {
    const done = Math.round(shareAt(instant) * width)
    output.write(`${clearLine}${'█'.repeat(done)}${'░'.repeat(width - done)} ${dayOf(instant)}${note}`)
  }
  return {
    isAt: (instant) => draw(instant, ''),
    waitsFor: (instant, names) => draw(instant, `  waits for ${names[0]}${more(names)}`),
    end: () => void output.write(clearLine),
  }
}

const more = ({ length }: string[]): string => (length > 1 ? ` and ${length - 1} more` : '')

function lines(output: Output, shareAt: (instant: number) => number): Progress {
  let tenths = 0
  return {
    isAt(instant) {
      const now = Math.floor(shareAt(instant) * 10)
      if (now > tenths) output.write(`${dayOf(instant)}  ${now * 10} %\n`)
      tenths = Math.max(tenths, now)
    },
    waitsFor() {},
    end() {},
  }
}
