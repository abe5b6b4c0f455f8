// GET /files/statement/{token}: a lender downloads the statement of one borrower; every look is logged, without the borrower (FIS12 §10.3).

import { refused } from '#contract/headless/envelope.ts'
import { readPortfolio } from '#contract/hosted/read-portfolio.ts'
import { type Statement, statementOf } from '#contract/hosted/statement.ts'
import { privateHeaders } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { type Api, answer, anyone } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'
import { readerOf } from '#platform/page-text/page-text.ts'
import { mfcContext } from './portfolio.ts'
import { type LinkedStatement, openStatementLink } from './statement-link.ts'
import { findMfcOfActive } from './store.ts'

/** Who holds the link is a lender that was asked for an offer. */
const download = route({
  method: 'GET',
  path: '/files/statement/{token}',
  section: 'FIS12 §10.3',
  summary: 'Download the statement of mutual funds',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 512 }) }),
  async handle({ params, at }, ctx: Context) {
    const linked = openStatementLink(ctx.seal, params.token)
    const isOpen = linked !== null && linked.ends > at.getTime()
    const statement = isOpen ? await statementFor(ctx, linked) : null
    const { tenantId, journeyId, registrar } = linked ?? {}
    const outcome = statement ? 'given' : isOpen ? 'gone' : linked ? 'expired' : 'unknown'
    ctx.log.info({ tenantId, journeyId, registrar, outcome }, 'a statement was asked for')
    if (!statement) throw new Refusal('absent', 'this link leads to no statement')
    return answer(200, statement, { 'content-disposition': 'attachment; filename="statement.json"' })
  },
})

/** Null when the journey has ended, when nothing is kept of it, or nothing that a lender could read. */
async function statementFor({ db, seal }: Context, linked: LinkedStatement): Promise<Statement | null> {
  const sealed = await findMfcOfActive(db, linked)
  if (!sealed) return null
  const statement = statementOf(readPortfolio(seal.openJson(sealed, mfcContext(linked))), linked.registrar)
  return statement.holdings.length > 0 ? statement : null
}

/** Whatever is wrong with a link looks as if there had never been one. */
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
