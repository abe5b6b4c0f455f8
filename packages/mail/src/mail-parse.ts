// Parses a raw message (RFC 5322, MIME) in a parser thread: author, text, references and files.

import { codeOf } from '@lendloom/foundation/thrown'
import type { ParsedMail as ParsedMessage } from 'mailparser'
import { charsetOfHtml, isUtf8, withCharset } from './mail-charset.ts'
import { withoutHistory } from './mail-history.ts'
import { withoutNesting, withoutSilentParts, withSpacedCells } from './mail-html.ts'
import { idIn, maxFiles, type ParsedMail, type ReadFile, type ReadMail } from './mail-read.ts'

/** Of the text, which is kept whole as a file if the complaint shows less. */
const maxTextLength = 2_000_000
/** Of the words that a complaint shows. */
const maxShownLength = 200_000
const maxHtmlLength = 1_000_000
/** The part that is read of longer HTML: the words stand first, and all of it could need too much memory. */
const longHtmlLength = 250_000
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
  const usageAtStart = process.threadCpuUsage()
  const startedAt = performance.now()
  const isInTime = () =>
    process.threadCpuUsage(usageAtStart).user < maxReadingMicroseconds && performance.now() - startedAt < maxReadingMs
  try {
    return { mail: await readParsed(raw, isInTime), fault: null }
  } catch (error) {
    if (codeOf(error) !== 'EMAXLEN') throw error
    return { mail: null, fault: 'has more than 500 parts, or a head larger than 256 KiB' }
  }
}

/** Parses a message; if its HTML cannot be converted, without that. */
async function parseWithFallback(raw: Buffer): Promise<ParsedMessage> {
  const { simpleParser } = await import('mailparser')
  return simpleParser(raw, options).catch((error) => {
    if (codeOf(error) === 'EMAXLEN') throw error
    return simpleParser(raw, { ...options, skipHtmlToText: true })
  })
}

/** Parses a message again with its likely character set if it names none and is not UTF-8. */
async function parseWithCharset(raw: Buffer): Promise<ParsedMessage> {
  const parsed = await parseWithFallback(raw)
  const { text = '', html } = parsed
  return isUtf8(`${text}${html || ''}`) ? parsed : parseWithFallback(withCharset(raw, charsetOfHtml(html || '')))
}

async function readParsed(raw: Buffer, isInTime: () => boolean): Promise<ReadMail> {
  const parsed = await parseWithCharset(raw)
  const fields = await fieldsOf(parsed)
  const { text } = fields
  const references = parsed.references ?? []
  return {
    ...fields,
    replyTo: parsed.replyTo?.value[0]?.address || null,
    ownText: withoutHistory(text.slice(0, maxShownLength)),
    messageId: idIn(parsed.messageId),
    inReplyTo: idIn(parsed.inReplyTo),
    references: (typeof references === 'string' ? [references] : references)
      .flatMap((each) => idIn(each) ?? [])
      .slice(-maxReferences),
    ...(await allFilesOf(parsed, fields.isAutomatic, isInTime)),
  }
}

/** The fields that are read of a forwarded mail too. */
async function fieldsOf(parsed: ParsedMessage) {
  const isOnlyHtml = !parsed.text?.trim() || mediaTypeOf(parsed) === 'text/html'
  const fullText = (isOnlyHtml && (await textOfHtml(parsed.html || ''))) || (parsed.text ?? '')
  const sender = parsed.from?.value[0]
  const header = (name: string) => String(parsed.headers.get(name) ?? '')
  return {
    from: sender?.address || null,
    fromName: oneLine(sender?.name ?? '', 200) || null,
    subject: oneLine(parsed.subject ?? '', 500),
    text: limited(fullText.replaceAll('\r\n', '\n').replaceAll('\0', '')),
    isAutomatic: mediaTypeOf(parsed) === 'multipart/report' || isAutomatic(header),
    refusesAnswer: suppressed.test(header('x-auto-response-suppress')) || unreadMailbox.test(sender?.address ?? ''),
  }
}

/** Says at the end if a text is not whole. */
const limited = (text: string): string =>
  text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength)}\n\n[… ${text.length - maxTextLength} more characters]`

/** The signatures of a mail (RFC 8551, RFC 3156), which no person has attached. */
const signatureType = /^application\/(x-pkcs7|pkcs7|pgp)-signature$/i

/** A mail that is forwarded in a mail that is forwarded is read, but none in that. */
const maxForwards = 2
/** No further forwarded mail is read after this time of the thread's processor, which has two seconds for the mail. */
const maxReadingMicroseconds = 1_000_000
/** Nor after this time on the clock, of which a thread has four times as much as of the processor: a busy machine is slow. */
const maxReadingMs = 3000

/**
 * Returns the attachments, then the readable text and the attachments of the mails that are forwarded as files, up to
 * `maxFiles` in all. What a machine returns is our own mail, not a forwarded one.
 */
async function allFilesOf(
  parsed: ParsedMessage,
  isFromMachine: boolean,
  isInTime: () => boolean,
): Promise<Pick<ReadMail, 'files' | 'furtherFiles'>> {
  const files = filesOf(parsed)
  let forwarded = isFromMachine ? [] : files.filter(isMail)
  for (let depth = 0; depth < maxForwards; depth++) {
    const inner: ReadFile[] = []
    for (const { name, bytes } of forwarded) {
      // A mail that is not read is still a file.
      if (files.length >= maxFiles || !isInTime()) break
      const found = await filesOfForwarded(name, bytes)
      files.push(...found.files)
      if (!found.isFromMachine) inner.push(...found.files.filter(isMail))
    }
    forwarded = inner
  }
  return { files: files.slice(0, maxFiles), furtherFiles: files.slice(maxFiles).map(({ name }) => name) }
}

const isMail = ({ type }: ReadFile): boolean => type.toLowerCase() === 'message/rfc822'

function filesOf({ attachments }: ParsedMessage): ReadFile[] {
  const files: ReadFile[] = []
  for (const { filename, contentType, content } of attachments)
    if (!signatureType.test(contentType))
      files.push({
        name: fileName(filename) || `file-${files.length + 1}`,
        type: contentType,
        bytes: content,
        isExtract: false,
      })
  return files
}

/** A mail that cannot be read is only a file. */
async function filesOfForwarded(name: string, raw: Buffer): Promise<{ files: ReadFile[]; isFromMachine: boolean }> {
  const parsed = await parseWithCharset(raw).catch(() => null)
  if (!parsed) return { files: [], isFromMachine: false }
  const { from, fromName, subject, text, isAutomatic: isFromMachine } = await fieldsOf(parsed)
  const date = parsed.date?.toISOString() ?? ''
  const head = [`From: ${fromName ?? ''} <${from ?? ''}>`, `Date: ${date}`, `Subject: ${subject}`]
  const extract = {
    name: `${name.replace(/\.eml$/i, '')}.txt`,
    type: 'text/plain',
    bytes: Buffer.from(`${head.join('\n')}\n\n${text}`),
    isExtract: true,
  }
  return { files: [extract, ...filesOf(parsed)], isFromMachine }
}

function mediaTypeOf({ headers }: ParsedMessage): string {
  const header = headers.get('content-type')
  return typeof header === 'object' && 'value' in header ? String(header.value).toLowerCase() : ''
}

/** Returns the text of HTML, by parsing it as an HTML-only message. The parser joins the cells of a table. */
async function textOfHtml(html: string): Promise<string> {
  if (html === '') return ''
  const words = withSpacedCells(withoutSilentParts(html))
  // The parser finds no text in elements that are nested some thousand deep.
  const text = (await convertedText(words)) || (await convertedText(withoutNesting(words)))
  return text.replaceAll(/\n{3,}/g, '\n\n')
}

async function convertedText(html: string): Promise<string> {
  const { simpleParser } = await import('mailparser')
  const beginning = html.length > maxHtmlLength ? html.slice(0, longHtmlLength) : html
  const htmlMail = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${beginning}`
  const { text = '' } = (await simpleParser(htmlMail, options).catch(() => null)) ?? {}
  return text
}

/** What Exchange calls answers of programs (MS-OXCMAIL); people's mail has the header too. */
const suppressed = /\b(?:all|autoreply)\b/i
/** Senders that nobody reads (RFC 3834 §2). */
const unreadMailbox = /^(?:mailer-daemon|(?:do-?not|no)[-_.]?reply)@/i

function isAutomatic(header: (name: string) => string): boolean {
  const submitted = header('auto-submitted').trim().toLowerCase()
  if (submitted !== '' && !submitted.startsWith('no')) return true
  if (/^(bulk|junk|list|auto_reply)$/i.test(header('precedence').trim())) return true
  // The parser gathers every `List-…` header under `list`.
  return ['list', 'x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => header(name) !== '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: headers and file names must not contain these characters
const controlCharacters = /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g
const oneLine = (text: string, maxLength: number): string =>
  text.replace(controlCharacters, ' ').replace(/ {2,}/g, ' ').trim().slice(0, maxLength)

/** Returns a file name without folders, control characters and leading dots. */
const fileName = (name: string | undefined): string =>
  oneLine((name ?? '').split(/[/\\]/).at(-1) ?? '', 120).replace(/^\.+/, '')
