// The API of the demo app, served on the platform's origin so that one command starts everything.
import { randomInt } from 'node:crypto'
import { Closed, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { type Api, answer, anyone } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { webBuild } from '#platform/api/web-build.ts'
import { type Context, route } from '#platform/context.ts'
import { openSession, verifyUpdate } from './demo-app.ts'
import { DemoSessionReply, DemoSessionRequest, demoPage, demoUser } from './demo-page.ts'
import { recordEvent, streamEvents } from './live-log.ts'

const publicRoute = { section: 'demo', auth: anyone, hidden: true } as const

const page = (path: string) =>
  route({
    ...publicRoute,
    method: 'GET',
    path,
    summary: 'The demo app',
    handle: () => demoPage(webBuild()),
  })

const session = route({
  ...publicRoute,
  method: 'POST',
  path: '/demo/session',
  summary: "Opens a session for the demo app's user",
  body: DemoSessionRequest,
  reply: { 201: DemoSessionReply },
  async handle({ body, at }, ctx) {
    const eightDigits = String(randomInt(100_000_000)).padStart(8, '0')
    return answer(201, await openSession(ctx, demoUser(body, eightDigits), at))
  },
})

const webhook = route({
  ...publicRoute,
  method: 'POST',
  path: '/demo/webhook',
  summary: "Receives the demo app's lifecycle updates",
  accepts: 'raw',
  async handle({ headers, raw, at }, ctx) {
    await verifyUpdate(ctx, headers, raw, at)
    const signatureHeaders = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith('webhook-') && typeof value === 'string' ? [[name, value]] : [],
      ),
    )
    recordEvent({
      channel: 'webhook',
      receivedAt: at.toISOString(),
      headers: signatureHeaders,
      verified: true,
      payload: readJson(raw),
    })
    return answer(204, '')
  },
})

const events = route({
  ...publicRoute,
  method: 'GET',
  path: '/demo/events',
  summary: 'The live log of a borrower, as server-sent events',
  query: Closed({ borrower: Type.String({ minLength: 1, maxLength: 200 }) }),
  handle: ({ query }) =>
    answer(200, streamEvents(query.borrower), { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }),
})

export const demoApi: Api<Context> = {
  prefix: '/demo',
  routes: [page('/demo'), page('/demo/'), session, webhook, events],
  refuse: refused,
}
