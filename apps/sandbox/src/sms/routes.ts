// The SMS provider: takes messages from the platform, and shows them as the phones would.

import { readFileSync } from 'node:fs'
import { inlineTokens } from '@lendloom/design/style'
import { invalid } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { type Html, html } from '@lendloom/http/markup'
import { type Answer, type Api, type Auth, answer, type Route } from '@lendloom/http/server'
import { refusedByProvider } from '@lendloom/wire/provider/common-interface'
import { requireBearer } from '#sandbox/core/bearer.ts'
import type { Context } from '#sandbox/core/context.ts'
import { ownHost } from '#sandbox/core/own-host.ts'
import { framed, htmlAnswer } from '#sandbox/core/page-frame.ts'
import { insertSms, listSms, type SmsMessage } from './store.ts'

export type SmsContext = Pick<Context, 'db' | 'seal' | 'url'> & { sms: { key: string } }

const client: Auth<SmsContext, null> = {
  scheme: 'sms',
  check: (arrival, { sms }) => requireBearer(arrival, sms.key),
}
const reader = ownHost('SMS inbox', '/sms')

const message = Closed({
  to: Type.String({ pattern: '^\\+[1-9]\\d{6,14}$', 'x-says': 'must be a number such as +919812345678' }),
  text: Type.String({ minLength: 1, maxLength: 1000 }),
  template: Type.String({ minLength: 1, maxLength: 100 }),
})

const takeMessage: Route<SmsContext, null, typeof message> = {
  method: 'POST',
  path: '/sms/messages',
  section: 'operation',
  summary: 'Takes a message; idempotent by Idempotency-Key',
  auth: client,
  body: message,
  async handle({ body, headers, at }, { db, seal }) {
    const smsId = headers['idempotency-key']
    if (typeof smsId !== 'string' || !isUuid(smsId))
      throw invalid({ path: 'Idempotency-Key', message: 'must be a UUID' })
    await db.tx((tx) => insertSms(tx, seal, { ...body, smsId, at }))
    return answer(202, { id: smsId })
  },
}

const shownMessages = 50
const query = Type.Object({ number: Type.Optional(Type.String({ maxLength: 20 })) })
const numberIn = (text: string | undefined): string | null => text?.trim() || null

const listAsJson: Route<SmsContext, null, never, typeof query> = {
  method: 'GET',
  path: '/sms/messages',
  section: 'operation',
  summary: 'The newest messages as JSON, optionally only to one number',
  auth: reader,
  query,
  async handle({ query: { number } }, { db, seal }) {
    return answer(200, { items: await listSms(db, seal, { number: numberIn(number), limit: shownMessages }) })
  },
}

const showInbox: Route<SmsContext, null, never, typeof query> = {
  method: 'GET',
  path: '/sms',
  section: 'operation',
  summary: 'The newest messages',
  auth: reader,
  query,
  async handle({ query: { number } }, { db, seal }) {
    const filter = numberIn(number)
    return inboxPage(await listSms(db, seal, { number: filter, limit: shownMessages }), filter)
  },
}

function inboxPage(messages: SmsMessage[], filter: string | null): Answer {
  const page = framed({
    title: 'SMS',
    brand: 'Messages',
    sheet: '/sms/sms.css',
    body: html`<p class="hint">Messages that the platform sends to borrowers’ phones. Nothing leaves this machine.</p>
<form class="filter" action="/sms" role="search"><label class="unseen" for="number">Number</label><input id="number" name="number" type="search" inputmode="tel" placeholder="Filter by number" value="${filter ?? ''}"><button class="secondary">Filter</button></form>
<div id="messages">${messages.length > 0 ? html`<ul>${messages.map(bubble)}</ul>` : nothing(filter)}</div>`,
  })
  return htmlAnswer({
    ...page,
    head: html`<script src="/sms/sms.js" defer></script>`,
    policy: { 'connect-src': `'self'` },
  })
}

const nothing = (filter: string | null): Html =>
  filter === null
    ? html`<p class="empty">No SMS yet. A link that was asked for with <code>linkTtl</code> sends a code here.</p>`
    : html`<p class="empty">No SMS to ${filter}. <a href="/sms">Show all</a></p>`

const bubble = ({ to, text, template, at }: SmsMessage): Html =>
  html`<li><div class="about"><b>${to}</b><time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time></div>
<p class="bubble">${text}</p><small>${template}</small></li>`

const readAsset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
const pageFiles = {
  'sms.css': { type: 'text/css', text: inlineTokens(readAsset('sms.css'), 'large') },
  'sms.js': { type: 'text/javascript', text: readAsset('sms.js') },
} as const

const pageFile = (name: keyof typeof pageFiles): Route<SmsContext, null> => ({
  method: 'GET',
  path: `/sms/${name}`,
  section: 'operation',
  summary: 'A file of the page',
  auth: reader,
  handle: () =>
    answer(200, pageFiles[name].text, {
      'content-type': `${pageFiles[name].type}; charset=utf-8`,
      'cache-control': 'no-cache',
    }),
})

export const smsApi: Api<SmsContext> = {
  prefix: '/sms',
  routes: [takeMessage, listAsJson, showInbox, pageFile('sms.css'), pageFile('sms.js')],
  refuse: refusedByProvider,
}
