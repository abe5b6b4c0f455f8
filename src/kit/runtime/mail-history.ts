// Removes what a mail program quotes below a reply: the mails of the thread that both sides have already.

/** Lines with which mail programs introduce a quote, in English and Hindi. */
const attribution = /^(On\b.{3,300}\bwrote:|.{3,300}\bने लिखा:|.{3,300} ने लिखा:)$/
/** Mail programs break an attribution, and the text of HTML has its address twice. */
const maxAttributionLines = 4
const maxAttributionLength = 400
/** A line that a mail program draws above the header of a quoted message. */
const rule = /^[-_]{10,}$/
const quotedHeader = /^(-{2,} ?Original Message ?-{2,}|_{10,}|-{2,} ?मूल संदेश ?-{2,})$/i
/** The lines of a quoted header that may name its sender. */
const headerLines = 6

/**
 * Removes quoted history: lines that begin with `>`, the attribution above them, and everything below the header of a
 * quoted message. A text that contains only quotes stays unchanged. What the sender forwards is no history: with
 * `domain`, only the header of a message from that domain counts.
 */
export function withoutHistory(text: string, domain?: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const isQuoted = findQuotedLines(lines)
  const keptLines: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const next = lines[i + 1] ?? ''
    if (isQuotedHeader(line, next) && (domain === undefined || isFrom(domain, headerAt(lines, i)))) {
      const last = keptLines.findLastIndex(isFilled)
      if (rule.test(keptLines[last] ?? '')) keptLines.splice(last)
      break
    }
    const attributionLines = countAttributionLines(lines, i, { isQuoted, domain })
    if (attributionLines > 0) i += attributionLines
    else if (!line.startsWith('>')) {
      keptLines.push(line)
      continue
    }
    while (i + 1 < lines.length && (lines[i + 1]?.startsWith('>') || (lines[i + 1] === '' && isQuoted[i + 1]))) i++
  }
  return (
    keptLines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim() || text.trim()
  )
}

const isFilled = (line: string): boolean => line !== ''

/**
 * Counts the lines of an attribution that begins at `start`, directly above a quote; 0 if there is none. With `domain`,
 * one in any language counts if it has a date and an address of that domain.
 */
function countAttributionLines(
  lines: string[],
  start: number,
  { isQuoted, domain }: { isQuoted: boolean[]; domain: string | undefined },
): number {
  const isParagraph = (lines[start - 1] ?? '') === ''
  for (let count = 1; count <= maxAttributionLines; count++) {
    const part = lines.slice(start, start + count)
    if (!part.every((line) => isFilled(line) && !line.startsWith('>'))) return 0
    const text = part.join(' ')
    if (text.length > maxAttributionLength) return 0
    if (!isQuoted[start + count] || !text.endsWith(':')) continue
    const isInEnglish = attribution.test(text) && (count === 1 || /^On\b/.test(text))
    const isOfDomain =
      domain !== undefined && (count === 1 || isParagraph) && /\p{Nd}/u.test(text) && text.includes(`@${domain}`)
    if (isInEnglish || isOfDomain) return count
  }
  return 0
}

const isQuotedHeader = (line: string, next: string): boolean =>
  quotedHeader.test(line) || (/^\*?From:\*? .+/.test(line) && /^\*?(Sent|Date|To):/.test(next))

/** The first lines of a quoted header, up to its end. */
function headerAt(lines: string[], start: number): string[] {
  const header = lines.slice(start, start + headerLines)
  const end = header.indexOf('')
  return end < 0 ? header : header.slice(0, end)
}

const isFrom = (domain: string, header: string[]): boolean =>
  header.some((line) => /^\*?From:/.test(line) && line.toLowerCase().includes(`@${domain}`))

/** Returns for each line whether it is quoted. An empty line counts as quoted if the next non-empty line is quoted. */
function findQuotedLines(lines: string[]): boolean[] {
  const isQuoted: boolean[] = []
  for (let i = lines.length - 1; i >= 0; i--)
    isQuoted[i] = lines[i] === '' ? (isQuoted[i + 1] ?? false) : (lines[i]?.startsWith('>') ?? false)
  return isQuoted
}
