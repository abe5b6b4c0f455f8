// The pages of the mailbox: the list beside the open mail, and the forms to answer or write a mail.

import { arrowLeft } from '@lendloom/design/icons'
import { countText, sizeText } from '@lendloom/foundation/text'
import { Html, html, icon } from '@lendloom/http/markup'
import { pageAnswer } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import type { MailHead, OpenMail } from './mail.ts'

/** A mail that is being written, with the first error in the form. */
export interface Draft {
  from: string
  to: string
  subject: string
  text: string
  fault: { field: string; message: string } | null
}

export interface MailboxView {
  mails: MailHead[]
  /** The id of the last mail on the page, if older mails follow. */
  next: string | null
  address: string | null
  open: OpenMail | null
  /** A new mail, or a reply to the open one. */
  draft: Draft | null
  notice: string | null
}

export function mailboxPage(view: MailboxView, status: number): Answer {
  const { open, draft, address } = view
  const title = open ? open.subject || 'No subject' : draft ? 'Write an email' : 'Mailbox'
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/mailbox">Mailbox</a><span class="tag">sandbox</span>
<form class="filter" action="/mailbox" role="search"><label class="unseen" for="address">Address</label><input id="address" name="address" type="search" inputmode="email" placeholder="Filter by address" value="${address ?? ''}"><button class="secondary">Filter</button></form>
<a class="primary" href="/mailbox?write=yes">Write</a></header>
<div class="split"><nav aria-label="Mail">${list(view)}</nav>
<main id="main">${view.notice && html`<p class="notice good" role="status">${view.notice}</p>`}${open ? message(open, draft) : draft ? writePage(draft) : emptyPage()}</main></div>`
  return pageAnswer({
    title: `${title} · Lendloom sandbox`,
    sheets: ['/mailbox/mailbox.css'],
    status,
    body,
    head: html`<script src="/mailbox/mailbox.js" defer></script>`,
    bodyClass: open || draft ? 'one' : 'all',
    policy: { 'script-src': `'self'`, 'connect-src': `'self'`, 'form-action': `'self'` },
  })
}

function list({ mails, next, address, open }: MailboxView): Html {
  const addressQuery = address === null ? '' : `&address=${encodeURIComponent(address)}`
  if (mails.length === 0)
    return html`<p class="empty">${address === null ? 'No mail yet. Mail from the platform and the partner arrives here.' : html`No mail from or to ${address}. <a href="/mailbox">Show all</a>`}</p>`
  return html`<ul id="list">${mails.map((mail) => item(mail, addressQuery, mail.mailId === open?.mailId))}</ul>
${next !== null && html`<p class="more"><a href="/mailbox?before=${next}${addressQuery}">Older mail</a></p>`}`
}

function item(
  { mailId, isSent, from, to, fromName, subject, preview, files, at }: MailHead,
  addressQuery: string,
  isOpen: boolean,
) {
  return html`<li><a href="/mailbox?mail=${mailId}${addressQuery}"${isOpen && new Html(' aria-current="true"')}>
<span class="who">${isSent ? html`<span class="sent">Sent</span> ${from}` : fromName ? `${fromName}` : from}</span><time datetime="${at.toISOString()}">${shortTime(at)}</time>
<span class="to">to ${to.join(', ')}</span>
<span class="subject">${subject || 'No subject'}${files > 0 && html`<span class="files">${countText(files, 'file')}</span>`}</span><span class="preview">${preview}</span></a></li>`
}

const shortTime = (at: Date): string => at.toISOString().slice(5, 16).replace('T', ' ')

function message(mail: OpenMail, draft: Draft | null): Html {
  const { mailId, content, from, to, at, subject } = mail
  const { ownText } = content
  const hasQuotedText = content.text.trim() !== ownText
  return html`<a class="back" href="/mailbox">${icon(arrowLeft)}All mail</a><article><h1>${subject || 'No subject'}</h1>
<dl><div><dt>From</dt><dd>${content.fromName && html`${content.fromName} `}<a href="/mailbox?address=${encodeURIComponent(from)}">${content.from ?? from}</a></dd></div>
<div><dt>To</dt><dd>${to.map((address) => html`<a href="/mailbox?address=${encodeURIComponent(address)}">${address}</a> `)}</dd></div>
${content.replyTo !== null && html`<div><dt>Reply to</dt><dd>${content.replyTo}</dd></div>`}
<div><dt>Date</dt><dd><time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time></dd></div></dl>
<div class="text">${withLinks(ownText)}</div>
${hasQuotedText && html`<details><summary>Show quoted text</summary><div class="text">${withLinks(content.text.trim())}</div></details>`}
${content.files.length > 0 && html`<h2>Attached</h2><ul class="attached">${content.files.map((file, i) => html`<li><a href="/mailbox/${mailId}/files/${i}" download>${file.name}</a> <span>${file.type}, ${sizeText(file.bytes.length)}</span></li>`)}</ul>`}
<details><summary>Headers</summary><dl class="ids"><div><dt>Message-ID</dt><dd>${content.messageId ?? 'none'}</dd></div><div><dt>In-Reply-To</dt><dd>${content.inReplyTo ?? 'none'}</dd></div><div><dt>References</dt><dd>${content.references.join(' ') || 'none'}</dd></div></dl><p><a href="/mailbox/${mailId}/raw" download>Download the original email</a></p></details>
</article>${draft && form(draft, mailId)}`
}

const writePage = (draft: Draft): Html =>
  html`<a class="back" href="/mailbox">${icon(arrowLeft)}All mail</a><h1>Write an email</h1><p class="hint">To the platform, from any address you like.</p>${form(draft, null)}`

function form({ from, to, subject, text, fault }: Draft, repliedMailId: string | null): Html {
  const field = (name: string, label: string, input: Html): Html =>
    html`<p class="field"><label for="${name}">${label}</label>${input}${fault?.field === name && html`<span class="fault" id="${name}-fault" role="alert">${fault.message}</span>`}</p>`
  const faultAttributes = (name: string) =>
    fault?.field === name && html` aria-invalid="true" aria-describedby="${name}-fault"`
  const line = (name: string, value: string, type: string): Html =>
    html`<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="off" required${faultAttributes(name)}>`
  const fieldNames = ['from', 'to', 'subject', 'text', 'file']
  return html`<form method="POST" enctype="multipart/form-data" action="${repliedMailId === null ? '/mailbox/mails' : `/mailbox/${repliedMailId}/answer`}" class="write">
${repliedMailId !== null && html`<h2>Answer</h2>`}${fault && !fieldNames.includes(fault.field) && html`<p class="notice bad" role="alert">${fault.message}</p>`}
${field('from', 'From', line('from', from, 'email'))}${field('to', 'To', line('to', to, 'email'))}
${repliedMailId === null && field('subject', 'Subject', line('subject', subject, 'text'))}
${field('text', repliedMailId === null ? 'Text' : 'Your answer', html`<textarea id="text" name="text" rows="7" required${faultAttributes('text')}>${text}</textarea>`)}
${field('file', 'Attach a file', html`<input id="file" name="file" type="file"${faultAttributes('file')}>`)}
<p><button class="primary">${repliedMailId === null ? 'Send' : 'Send the answer'}</button></p></form>`
}

const emptyPage = (): Html =>
  html`<div class="empty"><h1>Mailbox</h1><p>All mail from the platform and the lending partner arrives here. Choose an email to read and answer it, or <a href="/mailbox?write=yes">write to the platform</a>.</p></div>`

/** Turns URLs in a text into links. */
const withLinks = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)
    .map((part, i) =>
      i % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>` : html`${part}`,
    )
