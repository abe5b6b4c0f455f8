// Removes what a mail program quotes below a reply: the mails of the thread that both sides have already.

/** Lines with which mail programs introduce a quote, in English and Hindi. */
const attribution = /^(On\b.{3,300}\bwrote:|.{3,300}\bने लिखा:|.{3,300} ने लिखा:)$/
const timeOfDay = /\p{Nd}[:.]\p{Nd}{2}/u
/** The end of an attribution in English: an address, or the time, a comma and the name or address. */
const endInEnglish =
  /(?:<[^<>]{1,300}>|\d[:.]\d\d(?:\s[A-Z]{2,4})?,\s(?:[^,.]{1,80}|[^\s,]{1,64}@[^\s,]{1,190})) wrote:$/i
/** An attribution in another language begins with the weekday and the date, and has a few words after the address. */
const foreignDate = /^[^\s,]{1,20}, \p{Nd}/u
const foreignEnd = /<([^<>]{1,300})>[^\p{Nd}<>:]{1,40}:$/u

/** Mail programs break an attribution, and the text of HTML has its address twice. */
const maxAttributionLines = 4
const maxAttributionLength = 400
/** A line that a mail program draws above the header of a quoted message. */
const rule = /^[-_]{10,}$/
const quotedHeader = /^(-{2,} ?Original Message ?-{2,}|_{10,}|-{2,} ?मूल संदेश ?-{2,})$/i
/** The lines of a quoted header that may name its sender. */
const headerLines = 6
/** More headers are not compared with our mails, because each takes time. */
const maxComparedHeaders = 10

/** What is known of the mail to which a mail replies. */
export interface AnsweredMail {
  /** The domain of our mails. What the sender forwards from another domain is no history. */
  domain: string
  /** The texts of the mails of the thread that we sent. */
  sentText: string
}

/**
 * Removes quoted history: lines that begin with `>`, the attribution above them, and everything below the header of a
 * quoted message. A text that contains only quotes stays unchanged. With `answered`, lines stay if they may be the
 * sender's own: a line that only resembles an attribution, and all below the header of our mail if a part of it is not
 * of that mail, such as answers between its lines.
 */
export function withoutHistory(text: string, answered?: AnsweredMail): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const isQuoted = findQuotedLines(lines)
  const sentLines = comparedLines(answered?.sentText.split('\n') ?? [])
  let comparedHeaders = 0
  const isHistory = (start: number): boolean => {
    if (!answered) return true
    if (!isFrom(answered.domain, headerAt(lines, start)) || comparedHeaders++ >= maxComparedHeaders) return false
    return areSent(comparedLines(linesBelowHeader(lines, start)), sentLines)
  }
  const keptLines: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const next = lines[i + 1] ?? ''
    if (isQuotedHeader(line, next) && isHistory(i)) {
      const last = keptLines.findLastIndex(isFilled)
      if (rule.test(keptLines[last] ?? '')) keptLines.splice(last)
      break
    }
    const attributionLines = countAttributionLines(lines, i, { isQuoted, answered })
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
 * Counts the lines of an attribution that begins at `start`, directly above a quote; 0 if there is none. With `answered`,
 * one in any language counts if it has an address of our domain.
 */
function countAttributionLines(
  lines: string[],
  start: number,
  { isQuoted, answered }: { isQuoted: boolean[]; answered: AnsweredMail | undefined },
): number {
  const isParagraph = (lines[start - 1] ?? '') === ''
  for (let count = 1; count <= maxAttributionLines; count++) {
    const part = lines.slice(start, start + count)
    if (!part.every((line) => isFilled(line) && !line.startsWith('>'))) return 0
    const text = part.join(' ')
    if (text.length > maxAttributionLength) return 0
    if (!isQuoted[start + count] || !text.endsWith(':')) continue
    const isInEnglish = (count === 1 || /^On\b/.test(text)) && attribution.test(text)
    if (!answered && isInEnglish) return count
    if (answered && (count === 1 || isParagraph) && isCertainAttribution(text, answered.domain)) return count
  }
  return 0
}

/** Whether a mail program wrote the line: a person writes no time of day and no address in angle brackets before a quote. */
const isCertainAttribution = (text: string, domain: string): boolean =>
  timeOfDay.test(text) &&
  ((/^On\b/.test(text) && endInEnglish.test(text)) ||
    (foreignDate.test(text) && (foreignEnd.exec(text)?.[1]?.includes(`@${domain}`) ?? false)))

const isQuotedHeader = (line: string, next: string): boolean =>
  quotedHeader.test(line) || (/^\*?From:\*? .+/.test(line) && /^\*?(Sent|Date|To):/.test(next))

/** The first lines of a quoted header, up to its end. */
function headerAt(lines: string[], start: number): string[] {
  const header = lines.slice(start, start + headerLines)
  const end = header.indexOf('')
  return end < 0 ? header : header.slice(0, end)
}

function linesBelowHeader(lines: string[], start: number): string[] {
  const end = lines.indexOf('', start)
  return end < 0 ? [] : lines.slice(end)
}

/**
 * Returns the lines by which a quote is compared with our mail: without quotes and drawn lines, and without the target
 * of a link, which mail programs add after its text.
 */
const comparedLines = (lines: string[]): string[] =>
  lines
    .filter((line) => !line.startsWith('>') && !rule.test(line.trim()))
    .map((line) =>
      line
        .replace(/<(?:https?|mailto|tel):[^<>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(isFilled)

/**
 * Whether a quote has only whole lines of our mail, one after the other as there. Mail programs break and join lines, so
 * only the first line has to begin, and the last one to end, where a line of our mail does. An answer between the lines
 * is then seen even if our mail has the same words elsewhere.
 */
function areSent(lines: string[], sentLines: string[]): boolean {
  if (lines.length === 0) return true
  const quote = lines.join(' ')
  const sent = sentLines.join(' ')
  let end = -1
  const lineEnds = new Set([end])
  for (const line of sentLines) {
    end += 1 + line.length
    lineEnds.add(end)
  }
  for (let at = sent.indexOf(quote); at >= 0; at = sent.indexOf(quote, at + 1))
    if (lineEnds.has(at - 1) && lineEnds.has(at + quote.length)) return true
  return false
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
