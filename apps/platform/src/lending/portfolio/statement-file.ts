// Links with which lenders download a borrower's fund statement (FIS12 §10.3). The log contains no personal data.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { privateHeaders } from '@lendloom/http/page-frame'
import { type Api, answer, anyone } from '@lendloom/http/server'
import type { Seal } from '@lendloom/seal/seal'
import { refused } from '@lendloom/wire/headless/envelope'
import type { Registrar } from '@lendloom/wire/hosted/portfolio'
import { type Statement, sharedStatement, statementDays, statementOf } from '@lendloom/wire/hosted/portfolio-statement'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import { type Context, route } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { findMfcOfActiveJourney, mfcContext } from './store.ts'

/** GET /files/statement/{token}. The token authorizes lenders from which we requested an offer. */
const download = route({
  method: 'GET',
  path: '/files/statement/{token}',
  section: 'FIS12 §10.3',
  summary: 'Download the statement of mutual funds',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 512 }) }),
  async handle({ params, at }, ctx: Context) {
    const link = openStatementLink(ctx.seal, params.token)
    const isValid = link !== null && link.ends > at.getTime()
    const statement = isValid ? await statementFor(ctx, link) : null
    const { tenantId, journeyId, registrar } = link ?? {}
    const outcome = statement ? 'downloaded' : whyUnavailable(link, at)
    ctx.log.info({ tenantId, journeyId, registrar, outcome }, 'a fund statement was requested')
    if (!statement) throw new Refusal('absent', 'the link is invalid')
    return answer(200, statement, { 'content-disposition': 'attachment; filename="statement.json"' })
  },
})

/** Why a link leads to no statement, for the log. */
function whyUnavailable(link: { ends: number } | null, at: Date): string {
  if (!link) return 'unknown'
  return link.ends > at.getTime() ? 'unavailable' : 'expired'
}

/** Reads the statement; null when the journey has ended or the statement has no readable holding. */
async function statementFor({ db, seal }: Context, link: LinkedStatement): Promise<Statement | null> {
  const sealed = await findMfcOfActiveJourney(db, link)
  if (!sealed) return null
  const statement = statementOf(readPortfolio(seal.openJson(sealed, mfcContext(link))), link.registrar)
  return statement.holdings.length > 0 ? statement : null
}

/** The statement API. Every invalid link gets the same answer. */
export const statementApi: Api<Context> = {
  prefix: '/files/statement',
  routes: [download],
  headers: () => privateHeaders,
  refuse(refusal, arrival) {
    const { status } = refused(refusal, arrival)
    const isAbsent = status < 500 && status !== 405
    const message = readerOf(arrival.headers).t(isAbsent || status === 405 ? 'file.nothing' : 'file.bug')
    return answer(isAbsent ? 404 : status, message, { 'content-type': 'text/plain; charset=utf-8' })
  },
}

/** The content of a link. `registrar` is null if the statement has the holdings at all registrars. */
interface LinkedStatement extends JourneyKey {
  registrar: Registrar | null
}

const linkContext = 'statement link'

/** Returns a new link. Its token is sealed, so that it cannot be forged or read, and is not stored. */
export function statementUrl(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId }: JourneyKey,
  at: Date,
  registrar: Registrar | null = null,
): string {
  const content = { tenantId, journeyId, registrar, ends: daysAfter(at, statementDays).getTime() }
  return `${config.PUBLIC_URL}/files/statement/${seal.json(content, linkContext).toString('base64url')}`
}

/** The answer to a lender's form field `statementUpload`. */
export const statementUpload = (
  ctx: Pick<Context, 'seal' | 'config'>,
  journey: JourneyKey,
  at: Date,
  registrar: Registrar | null = null,
): ReturnType<typeof sharedStatement> => sharedStatement(statementUrl(ctx, journey, at, registrar))

/** Opens the token of a link. `ends` is the expiry in milliseconds. Returns null for a forged token. */
function openStatementLink(seal: Seal, token: string): (LinkedStatement & { ends: number }) | null {
  try {
    return seal.openJson(Buffer.from(token, 'base64url'), linkContext)
  } catch {
    return null
  }
}
