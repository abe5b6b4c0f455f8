// Parses a raw message (RFC 5322, MIME) in a parser thread: author, text, references and files.

import { idIn, type ParsedMail, type ReadMail } from './mail-read.ts'
import { codeOf } from './record.ts'

const maxTextLength = 200_000
const maxHtmlLength = 1_000_000
const maxReferences = 100

/** The parser rejects a mail above `maxChildNodes` or `maxHeadSize`. */
const options = {
  skipTextToHtml: true,
  skipImageLinks: true,
  maxHtmlLengthToParse: maxHtmlLength,
  maxChildNodes: 500,
  maxHeadSize: 256 << 10,
}

/** Parses a message as far as possible. A message without text has an empty `text`. */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  try {
    return { mail: await parseWithFallback(raw), fault: null }
  } catch (error) {
    if (codeOf(error) !== 'EMAXLEN') throw error
    return { mail: null, fault: 'has more than 500 parts, or a head larger than 256 KiB' }
  }
}

async function parseWithFallback(raw: Buffer): Promise<ReadMail> {
  const { simpleParser } = await import('mailparser')
  const parsed = await simpleParser(raw, options).catch((error) => {
    if (codeOf(error) === 'EMAXLEN') throw error
    return simpleParser(raw, { ...options, skipHtmlToText: true })
  })
  const fullText = parsed.text?.trim() ? parsed.text : await textOfHtml(parsed.html || '')
  const text = fullText.replaceAll('\r\n', '\n').replaceAll('\0', '').slice(0, maxTextLength)
  const sender = parsed.from?.value[0]
  const references = parsed.references ?? []
  return {
    from: sender?.address || null,
    fromName: oneLine(sender?.name ?? '', 200) || null,
    replyTo: parsed.replyTo?.value[0]?.address || null,
    subject: oneLine(parsed.subject ?? '', 500),
    text,
    ownText: withoutHistory(text),
    messageId: idIn(parsed.messageId),
    inReplyTo: idIn(parsed.inReplyTo),
    references: (typeof references === 'string' ? [references] : references)
      .flatMap((each) => idIn(each) ?? [])
      .slice(-maxReferences),
    isAutomatic: isAutomatic((name) => String(parsed.headers.get(name) ?? '')),
    files: parsed.attachments.map(({ filename, contentType, content }, i) => ({
      name: fileName(filename) || `file-${i + 1}`,
      type: contentType,
      bytes: content,
    })),
  }
}

/** Returns the text of HTML, by parsing it as an HTML-only message. */
async function textOfHtml(html: string): Promise<string> {
  if (html === '' || html.length > maxHtmlLength) return ''
  const { simpleParser } = await import('mailparser')
  const htmlMail = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${html}`
  return (await simpleParser(htmlMail, options).catch(() => null))?.text ?? ''
}

function isAutomatic(header: (name: string) => string): boolean {
  const submitted = header('auto-submitted').trim().toLowerCase()
  if (submitted !== '' && !submitted.startsWith('no')) return true
  if (/^(bulk|junk|list|auto_reply)$/i.test(header('precedence').trim())) return true
  // The parser gathers every `List-…` header under `list`.
  return ['list', 'x-autoreply', 'x-autorespond'].some((name) => header(name) !== '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: headers and file names must not contain these characters
const controlCharacters = /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
const oneLine = (text: string, maxLength: number): string =>
  text.replace(controlCharacters, ' ').replace(/ {2,}/g, ' ').trim().slice(0, maxLength)

/** Returns a file name without folders, control characters and leading dots. */
const fileName = (name: string | undefined): string =>
  oneLine((name ?? '').split(/[/\\]/).at(-1) ?? '', 120).replace(/^\.+/, '')

/** Lines with which mail programs introduce a quote, in English and Hindi. */
const attribution = /^(On\b.{3,300}\bwrote:|.{3,300}\bने लिखा:|.{3,300} ने लिखा:)$/
const quotedHeader = /^(-{2,} ?(Original|Forwarded) Message ?-{2,}|_{10,}|-{2,} ?मूल संदेश ?-{2,})$/i

/**
 * Removes quoted history: lines that begin with `>`, the attribution above them, and everything below the header of a
 * quoted message. A text that contains only quotes stays unchanged.
 */
export function withoutHistory(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const isQuoted = findQuotedLines(lines)
  const keptLines: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const next = lines[i + 1] ?? ''
    if (quotedHeader.test(line) || (/^\*?From:\*? .+/.test(line) && /^\*?(Sent|Date|To):/.test(next))) break
    let attributionLines = 0
    if (attribution.test(line)) attributionLines = 1
    else if (attribution.test(`${line} ${next}`) && /^On\b/.test(line)) attributionLines = 2
    if (attributionLines > 0 && isQuoted[i + attributionLines]) i += attributionLines
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

/** Returns for each line whether it is quoted. An empty line counts as quoted if the next non-empty line is quoted. */
function findQuotedLines(lines: string[]): boolean[] {
  const isQuoted: boolean[] = []
  for (let i = lines.length - 1; i >= 0; i--)
    isQuoted[i] = lines[i] === '' ? (isQuoted[i + 1] ?? false) : (lines[i]?.startsWith('>') ?? false)
  return isQuoted
}
