// A scripted platform for tests of the hosted page: serves the built page and validates every call against the contract.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordOf } from '@lendloom/foundation/record'
import { faults, type TSchema, Type } from '@lendloom/foundation/schema'
import { languages, pageLanguage } from '@lendloom/lending/language'
import { embedPage } from '@lendloom/platform/src/api/page/hosted-page.ts'
import type { PageTheme } from '@lendloom/platform/src/api/page/themed-page.ts'
import { readWebBuild, type WebBuild, webAsset } from '@lendloom/platform/src/api/web-build.ts'
import { pictureHeaders } from '@lendloom/platform/src/lenders/network/logo.ts'
import { digestOf } from '@lendloom/seal/token'
import { ErrorEnvelope } from '@lendloom/wire/headless/envelope'
import { EmbedComplaintsReply } from '@lendloom/wire/hosted/embed-complaint'
import {
  EmbedAggregatorHandleRequest,
  EmbedConsentsReply,
  type EmbedGivenConsents,
} from '@lendloom/wire/hosted/embed-consents'
import { EmbedFundsPollRequest, EmbedFundsRequest } from '@lendloom/wire/hosted/embed-funds'
import {
  EmbedGrievanceClose,
  EmbedGrievanceEscalation,
  EmbedGrievanceReply,
  EmbedGrievanceRequest,
} from '@lendloom/wire/hosted/embed-grievance'
import { EmbedBankBranch } from '@lendloom/wire/hosted/embed-lender'
import {
  BankAccount,
  EmbedAcceptRequest,
  EmbedDeclineRequest,
  EmbedDrawdownAgreement,
  EmbedDrawdownRequest,
  EmbedEarlierLoanReply,
  EmbedOpenReply,
  EmbedProfileRequest,
  EmbedSelectRequest,
  EmbedSessionReply,
  EmbedSessionRequest,
  EmbedSubmitRequest,
  EmbedViewQuery,
  EmbedWithdrawRequest,
} from '@lendloom/wire/hosted/embed-requests'
import { EmbedRatingRequest, EmbedServicingRequest } from '@lendloom/wire/hosted/embed-servicing'
import { EmbedView, EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { PincodePlace, placeOfPincode } from '@lendloom/wire/pincode-place'
import { viewAt } from './embed-views.ts'

/** The page's API calls with the contract's schemas of body and reply. */
const calls: [method: string, path: RegExp, body: TSchema | null, reply: TSchema][] = [
  ['POST', /^\/session$/, EmbedSessionRequest, EmbedSessionReply],
  ['GET', /^\/journey$/, null, EmbedViewReply],
  ['POST', /^\/journey\/earlier-loan$/, null, EmbedEarlierLoanReply],
  ['PUT', /^\/profile$/, EmbedProfileRequest, EmbedViewReply],
  ['POST', /^\/profile\/submit$/, EmbedSubmitRequest, EmbedViewReply],
  ['POST', /^\/offers\/[^/]+\/select$/, EmbedSelectRequest, EmbedViewReply],
  ['POST', /^\/offers\/[^/]+\/accept$/, EmbedAcceptRequest, EmbedViewReply],
  ['POST', /^\/offers\/[^/]+\/decline$/, EmbedDeclineRequest, EmbedViewReply],
  ['POST', /^\/steps\/(kyc|e-mandate|loan-agreement)\/open$/, Type.Object({}), EmbedOpenReply],
  ['POST', /^\/steps\/(kyc|e-mandate|loan-agreement)\/return$/, null, EmbedViewReply],
  ['POST', /^\/steps\/bank-mandate$/, BankAccount, EmbedViewReply],
  ['GET', /^\/ifsc\/[A-Z0-9]{11}$/, null, EmbedBankBranch],
  ['GET', /^\/pincode\/[1-9]\d{5}$/, null, PincodePlace],
  ['POST', /^\/aa\/[^/]+\/handle$/, EmbedAggregatorHandleRequest, EmbedViewReply],
  ['POST', /^\/funds$/, EmbedFundsRequest, EmbedOpenReply],
  ['POST', /^\/funds\/look$/, EmbedFundsPollRequest, EmbedViewReply],
  ['GET', /^\/consents$/, null, EmbedConsentsReply],
  ['POST', /^\/consents\/withdraw$/, EmbedWithdrawRequest, EmbedViewReply],
  ['POST', /^\/servicing\/[a-z-]+$/, EmbedServicingRequest, EmbedViewReply],
  ['POST', /^\/drawdowns$/, EmbedDrawdownRequest, EmbedViewReply],
  ['POST', /^\/drawdowns\/[^/]+\/agree$/, EmbedDrawdownAgreement, EmbedViewReply],
  ['POST', /^\/drawdowns\/[^/]+\/cancel$/, Type.Object({}), EmbedViewReply],
  ['POST', /^\/rating$/, EmbedRatingRequest, EmbedViewReply],
  ['GET', /^\/complaints$/, null, EmbedComplaintsReply],
  ['POST', /^\/grievances$/, EmbedGrievanceRequest, EmbedViewReply],
  ['POST', /^\/grievances\/[^/]+\/reply$/, EmbedGrievanceReply, EmbedViewReply],
  ['POST', /^\/grievances\/[^/]+\/escalate$/, EmbedGrievanceEscalation, EmbedViewReply],
  ['POST', /^\/grievances\/[^/]+\/close$/, EmbedGrievanceClose, EmbedViewReply],
]

const platformOfficer = { name: 'Asha Rao', email: 'gro@platform.example', phone: '080-1' }
const noComplaints = { officer: platformOfficer, nodal: platformOfficer, lender: null, items: [] }

/** The known IFSCs. */
const banks: Record<string, EmbedBankBranch> = {
  HDFC0000001: { bank: 'HDFC Bank', branch: 'Nariman Point, Mumbai', isKnown: true },
}

export interface ReceivedRequest {
  method: string
  path: string
  query: string
  key: string | undefined
  authorization: string | undefined
  body: unknown
}

export interface EmbedPlatform {
  url: string
  /** The page's requests in order, without polls. */
  acts: ReceivedRequest[]
  polls: ReceivedRequest[]
  /** Sets the next view, with the next version. */
  show(view: EmbedView): void
  /** The view that is shown, for an answer that a test gives itself: the page ignores one of an older version. */
  shown(): EmbedView
  setConsents(given: EmbedGivenConsents): void
  /** Scripts the reaction to an act (`METHOD /path`): the next view, or a refusal. */
  on(act: string, answer: Reaction): void
  refuse(act: string, status: number, code: string, details?: object): void
  /** Refuses an act as outdated and shows this view from then on. */
  refuseAsStale(act: string, view: EmbedView): void
  /** Sets the application's theme and SVG logo for the next opening; null for the default theme. */
  setTheme(theme: PageTheme | null, svg?: string | null): void
  /** Clears recorded requests and scripted reactions. */
  reset(): void
  /** Ends the session of all pages: what they still send, such as a draft on closing, is refused and not recorded. */
  endSession(): void
  stop(): Promise<void>
}

type Reaction = (received: ReceivedRequest) => EmbedView | { status: number; envelope: object }

export const linkToken = 'bt_test_single-use'

/** A build whose page runs as in a browser that does not name a frame's parent. */
function buildWithoutAncestors(build: WebBuild): WebBuild {
  const documents = recordOf(languages, (language) => build.documents[language].replaceAll('ancestorOrigins', 'absent'))
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(documents.en) ?? []
  assert.notEqual(documents.en, build.documents.en)
  return { ...build, documents, scriptHash: digestOf(script).toString('base64') }
}

interface EmbedPlatformOptions {
  /** The origins of the session, if they are not those that may embed the page. */
  sessionOrigins?: string[]
  hasAncestorOrigins?: boolean
}

/** `origins` may embed the page. */
export async function startEmbedPlatform(
  directory: string,
  origins: string[],
  { sessionOrigins = origins, hasAncestorOrigins = true }: EmbedPlatformOptions = {},
): Promise<EmbedPlatform> {
  const currentBuild = readWebBuild(directory)
  const build = hasAncestorOrigins ? currentBuild : buildWithoutAncestors(currentBuild)
  const acts: ReceivedRequest[] = []
  const polls: ReceivedRequest[] = []
  const reactions = new Map<string, Reaction>()
  let sessionNumber = 1
  let view = viewAt('PROFILE')
  let version = 1
  let given: EmbedGivenConsents = { given: [], atAggregator: [], atRegistrar: null }
  let theme: PageTheme | null = null
  let logo: string | null = null

  function show(next: EmbedView): void {
    version += 1
    view = { ...next, version, hostOrigins: sessionOrigins }
    assert.deepEqual(faults(EmbedView, view), [], 'the scripted view must match the contract')
  }

  const sessionToken = () => `st_test_session-${sessionNumber}`
  const isOfEndedSession = ({ path, authorization }: ReceivedRequest) =>
    path !== '/session' && authorization !== `Bearer ${sessionToken()}`

  function react(received: ReceivedRequest): [status: number, body: object] {
    const call = calls.find(([method, path]) => method === received.method && path.test(received.path))
    assert.ok(call, `${received.method} ${received.path} is not in the contract`)
    const [, , body, reply] = call
    if (body) assert.deepEqual(faults(body, received.body), [], `${received.method} ${received.path}`)
    const query = Object.fromEntries(new URLSearchParams(received.query))
    if (received.method === 'GET')
      assert.deepEqual(faults(EmbedViewQuery, query), [], 'the query must match the contract')
    const reaction = reactions.get(`${received.method} ${received.path}`)?.(received)
    if (reaction && 'envelope' in reaction) return [reaction.status, checked(ErrorEnvelope, reaction.envelope)]
    if (reaction) show(reaction)
    const opened = { sessionToken: sessionToken(), expiresAt: '2026-11-20T06:00:00.000Z', view }
    if (reply === EmbedEarlierLoanReply) return [200, checked(reply, { ...opened, relayed: 4 })]
    if (received.path === '/session') {
      if ((received.body as { token: string }).token !== linkToken) return [401, refusal('AUTH_INVALID_SESSION')]
      return [200, checked(reply, opened)]
    }
    const branch = banks[received.path.slice('/ifsc/'.length)]
    if (received.path.startsWith('/ifsc/'))
      return [200, checked(reply, branch ?? { bank: null, branch: null, isKnown: false })]
    if (reply === PincodePlace) return [200, checked(reply, placeOfPincode(received.path.slice('/pincode/'.length)))]
    // A page that closes leaves its request, which a test had answered in the browser, to the platform.
    if (reply === EmbedComplaintsReply) return [200, checked(reply, { complaints: noComplaints })]
    if (received.path === '/consents') return [200, checked(reply, { consents: given })]
    const after = Number(query.after ?? 0)
    const shown = { ...view, updates: view.updates.filter(({ sequence }) => sequence > after) }
    const url = reply === EmbedOpenReply && { url: `${address}/lender` }
    return [200, checked(reply, { ...url, view: shown })]
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url!, 'http://page')
    const send = (status: number, headers: Record<string, string>, body: Buffer | string) =>
      response.writeHead(status, headers).end(body)
    if (pathname === '/lab/embed') {
      const language = pageLanguage(searchParams.get('lang') ?? undefined, request.headers['accept-language'])
      const { headers, body } = embedPage(build, {
        language,
        origins,
        acceptEncoding: String(request.headers['accept-encoding']),
        theme,
      })
      return void send(200, headers, body)
    }
    if (pathname === '/lab/application-logo' && logo)
      return void send(200, pictureHeaders('image/svg+xml', 'no-store'), logo)
    if (pathname === '/lender') return void send(200, { 'content-type': 'text/html' }, '<h1>The lender</h1>')
    const asset = webAsset(build, pathname, String(request.headers['accept-encoding']))
    if (asset) return void send(200, asset.headers, asset.body)
    if (!pathname.startsWith('/api/embed/')) return void send(404, {}, '')
    const chunks = await request.toArray()
    const received: ReceivedRequest = {
      method: request.method!,
      path: pathname.slice('/api/embed'.length),
      query: search,
      key: request.headers['idempotency-key'] as string | undefined,
      authorization: request.headers.authorization,
      body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
    }
    if (isOfEndedSession(received)) return void send(401, jsonHeaders, JSON.stringify(refusal('AUTH_INVALID_SESSION')))
    if (received.method === 'GET') polls.push(received)
    else acts.push(received)
    const [status, body] = react(received)
    send(status, jsonHeaders, JSON.stringify(body))
  }

  const server = await listening(
    createServer(
      (request, response) =>
        void answer(request, response).catch((error) => {
          // A contract violation must fail the test instead of looking like a failure that the page retries.
          console.error(error)
          process.exitCode = 1
          response.writeHead(400).end('{}')
        }),
    ),
  )
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  show(view)
  return {
    url: address,
    acts,
    polls,
    show,
    shown: () => view,
    setConsents(next) {
      given = next
    },
    on: (act, reaction) => void reactions.set(act, reaction),
    setTheme(next, svg = null) {
      theme = next
      logo = svg
    },
    refuse: (act, status, code, details = {}) =>
      void reactions.set(act, () => ({ status, envelope: refusal(code, details) })),
    refuseAsStale: (act, next) =>
      void reactions.set(act, () => {
        show(next)
        return { status: 409, envelope: refusal('STATE_PRECONDITION_FAILED') }
      }),
    reset() {
      acts.length = 0
      polls.length = 0
      reactions.clear()
    },
    endSession() {
      sessionNumber += 1
    },
    stop: () => stopped(server),
  }
}

const jsonHeaders = { 'content-type': 'application/json' }

const checked = (schema: TSchema, value: object): object => {
  assert.deepEqual(faults(schema, value), [], 'the reply must match the contract')
  return value
}

const refusal = (code: string, details: object = {}) => ({
  requestID: '0192e0a4-0000-7000-8000-0000000000ff',
  correlationID: '0192e0a4-0000-7000-8000-0000000000ff',
  timestamp: '2026-11-20T05:00:00.000Z',
  data: null,
  error: { code, message: 'refused', retryable: false, details },
})

/** Serves host pages; `html` returns the page of a path. */
export async function startHost(html: (path: string) => string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = await listening(
    createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(request.url!))
    }),
  )
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => stopped(server),
  }
}

const listening = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))

const stopped = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
