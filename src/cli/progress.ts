// Progress of time or work: an updated bar at a terminal, a line per tenth in a file or pipe.

export interface ProgressBar {
  isAt(point: number): void
  /** Shows the pending work at the current position. */
  waitsFor(point: number, names: string[]): void
  end(): void
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Progress from `began` to `end`; `nameOf` formats the position, by default as a day. */
export function progressOn(
  output: Output,
  began: number,
  end: number,
  nameOf: (point: number) => string = dayOf,
): ProgressBar {
  const shareAt = (point: number): number => (end <= began ? 1 : Math.min(1, (point - began) / (end - began)))
  return output.isTTY ? bar(output, shareAt, nameOf) : lines(output, shareAt, nameOf)
}

const width = 30
const clearLine = '\r\x1b[K'
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

function bar(output: Output, shareAt: (point: number) => number, nameOf: (point: number) => string): ProgressBar {
  function draw(point: number, note: string): void {
    const done = Math.round(shareAt(point) * width)
    output.write(`${clearLine}${'█'.repeat(done)}${'░'.repeat(width - done)} ${nameOf(point)}${note}`)
  }
  return {
    isAt: (point) => draw(point, ''),
    waitsFor: (point, names) => draw(point, `  waits for ${names[0]}${more(names)}`),
    end: () => void output.write(clearLine),
  }
}

const more = ({ length }: string[]): string => (length > 1 ? ` and ${length - 1} more` : '')

function lines(output: Output, shareAt: (point: number) => number, nameOf: (point: number) => string): ProgressBar {
  let tenths = 0
  return {
    isAt(point) {
      const now = Math.floor(shareAt(point) * 10)
      if (now > tenths) output.write(`${nameOf(point)}  ${now * 10} %\n`)
      tenths = Math.max(tenths, now)
    },
    waitsFor() {},
    end() {},
  }
}
