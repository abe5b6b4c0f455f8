// Shows progress: as a bar at a terminal, as one line per ten percent in a file or pipe.

export interface ProgressBar {
  moveTo(point: number): void
  /** Moves, and names the work that is still pending there. */
  showPending(point: number, names: string[]): void
  end(): void
}

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Shows progress from `began` to `end`; `nameOf` formats a position, by default as a day. */
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
    moveTo: (point) => draw(point, ''),
    showPending: (point, names) => draw(point, `  waits for ${names[0]}${moreText(names)}`),
    end: () => void output.write(clearLine),
  }
}

const moreText = ({ length }: string[]): string => (length > 1 ? ` and ${length - 1} more` : '')

function lines(output: Output, shareAt: (point: number) => number, nameOf: (point: number) => string): ProgressBar {
  let tenths = 0
  return {
    moveTo(point) {
      const now = Math.floor(shareAt(point) * 10)
      if (now > tenths) output.write(`${nameOf(point)}  ${now * 10} %\n`)
      tenths = Math.max(tenths, now)
    },
    showPending() {},
    end() {},
  }
}
