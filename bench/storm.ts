// Several journeys whose search hundreds of lenders answer at once: the time to the first offer, and refused callbacks.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidv4 } from '@lendloom/seal/id'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { apply, enter, openSession, readView } from '@lendloom/tests/setup/borrower'
import { ack, contextOf } from '@lendloom/wire/network/context'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { option, startApi } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { judge } from './setup/goals.ts'

export const about = `Journeys whose search many lenders answer within a second, each with a form and an offer.
Goals: no callback is refused, the first offer of each journey within 3 s, that of a journey beside the storm too.
Options: --lenders <n> (205); --journeys <n> (4).`

export async function run(args: string[]): Promise<void> {
  const lenders = option(args, 'lenders', 205)
  const journeys = option(args, 'journeys', 4)
  const database = await benchDatabase()
  const crowd = await startCrowd(lenders)
  const api = await startApi(database.url, {
    MODE: 'all',
    NETWORK_REGISTRY_URL: `${crowd.url}/registry`,
    NETWORK_GATEWAY_URL: `${crowd.url}/gateway`,
    DATABASE_CONNECTIONS: '16',
    TRUSTED_PROXIES: '127.0.0.0/8',
  })
  try {
    const offers = await Promise.all(Array.from({ length: journeys }, () => firstOffer(api)))
    await crowd.isQuiet()
    const { answers, refused } = crowd
    console.log(`${journeys} journeys, ${lenders} lenders each: ${answers} callbacks, ${refused} refused`)
    console.log(`first offer: ${offers.map((seconds) => `${seconds.toFixed(2)} s`).join(', ')}`)
    judge({ figure: 'callbacks refused in a storm', value: refused, atMost: 0 })
    judge({ figure: 'first offer in a storm, slowest journey', value: percentile(offers, 1), unit: 's', atMost: 3 })
  } finally {
    api.stop()
    crowd.stop()
    await database.stop()
  }
}

let borrowers = 0

/** Applies as a new borrower, and returns the seconds until the page shows an offer. */
async function firstOffer({ url, tenant }: Awaited<ReturnType<typeof startApi>>): Promise<number> {
  const person = {
    borrowerProviderID: `storm-${++borrowers}`,
    profile: { contactNumber: `98${String(borrowers).padStart(8, '0')}` },
  }
  const { body } = await openSession(url, tenant, person)
  const borrower = await enter(url, body.embedUrl)
  await apply(borrower)
  const began = performance.now()
  for (;;) {
    if ((await readView(borrower)).offers.length > 0) return (performance.now() - began) / 1000
    await sleep(100)
  }
}

/** Registry, gateway and all lenders in one server. Every lender has the same key. */
async function startCrowd(lenders: number) {
  const keys = signingKeysFrom(randomBytes(32))
  const crowd = { answers: 0, refused: 0, open: 0 }
  let url = ''
  const server = createServer((request, response) => void handle(request, response))

  const idOf = (lender: number) => `lender-${lender}.crowd.example`

  /** Sends a callback of a lender, as its own program would. */
  async function answer(lender: number, action: 'on_search' | 'on_select', to: Json, message: Json): Promise<void> {
    crowd.open++
    const context = contextOf({
      action,
      bap: { id: to.bap_id, uri: to.bap_uri },
      bpp: { id: idOf(lender), uri: `${url}/lender/${lender}/ondc` },
      transactionId: to.transaction_id,
      messageId: to.message_id,
      at: new Date(),
    })
    const body = JSON.stringify({ context, message })
    const signer = { subscriberId: idOf(lender), uniqueKeyId: 'k', privateKey: keys.privateKey, at: new Date() }
    const headers = {
      'content-type': 'application/json',
      authorization: signatureHeader(body, signer),
      // Each lender calls from its own address, because the limits of the API are per caller.
      'x-forwarded-for': `198.51.${Math.floor(lender / 250)}.${1 + (lender % 250)}`,
    }
    const reply = await fetch(`${to.bap_uri}/${action}`, { method: 'POST', headers, body })
    const given = await reply.text()
    crowd.answers++
    if (reply.status !== 200 || !given.includes('"ACK"')) crowd.refused++
    crowd.open--
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const path = request.url ?? ''
    const [, lender] = /^\/lender\/(\d+)\/ondc\/select$/.exec(path) ?? []
    if (path.endsWith('/lookup')) send(response, [entryOf(JSON.parse(text))])
    else if (path.startsWith('/form')) sendForm(request, response)
    else {
      send(response, ack)
      const context = text === '' ? null : JSON.parse(text).context
      if (lender) void answer(Number(lender), 'on_select', context, messageFor(Number(lender), 'on_select_2'))
      if (path !== '/gateway/search') return
      for (let i = 0; i < lenders; i++) void answer(i, 'on_search', context, messageFor(i, 'on_search'))
    }
  }

  const entryOf = ({ subscriber_id }: Json) => ({
    subscriber_id,
    ukId: 'k',
    type: 'BPP',
    domain: 'ONDC:FIS12',
    signing_public_key: keys.publicKey,
    valid_from: '2020-01-01T00:00:00.000Z',
    valid_until: '2099-01-01T00:00:00.000Z',
    status: 'SUBSCRIBED',
  })

  const messageFor = (lender: number, step: string): Json =>
    JSON.parse(
      JSON.stringify(stepNamed(step).message)
        .replaceAll('https://sahyadri.example/forms', `${url}/form/${lender}`)
        .replaceAll('pl-account-aggregator', 'pl-bureau'),
    )

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    get answers() {
      return crowd.answers
    },
    get refused() {
      return crowd.refused
    },
    /** Resolves when no callback has been under way for two seconds. */
    async isQuiet() {
      for (let quiet = 0; quiet < 20; quiet = crowd.open === 0 ? quiet + 1 : 0) await sleep(100)
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const formPage = `<form method="POST"><input type="hidden" name="formId" value="F-1"><input name="panName" required>
<input name="pan" required><input name="income" type="number"></form>`

function sendForm({ method }: IncomingMessage, response: ServerResponse): void {
  if (method === 'POST') send(response, { success: true, submission_id: uuidv4() })
  else response.writeHead(200, { 'content-type': 'text/html' }).end(formPage)
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
