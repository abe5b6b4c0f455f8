// The aggregator's pages. Borrowers arrive and leave by encrypted redirections.

import { next } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { refuseUnstorable } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import type { Answer } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { compactJws } from '@lendloom/seal/jws'
import type { SignedConsent } from '@lendloom/wire/aggregator/consent-api'
import { readRedirect, requestorIn } from '@lendloom/wire/aggregator/redirect'
import { type Context, route } from '#sandbox/core/context.ts'
import { framed, htmlAnswer } from '#sandbox/core/page-frame.ts'
import { sandboxOtp } from '#sandbox/core/sandbox-otp.ts'
import {
  accountsOf,
  approvedConsent,
  consentMachine,
  customerDigest,
  detailOf,
  sealedSignedConsent,
  statusOf,
} from './consent.ts'
import {
  consentPage,
  goBack,
  loginPage,
  newVisit,
  secretOf,
  sharedDataName,
  ticketOf,
  type Visit,
  visitOf,
} from './consent-page.ts'
import { aggregatorName } from './directory.ts'
import { type ConsentRow, decideConsent, findConsent, findEntity, lockConsent } from './store.ts'

/** The return's error codes (see `errorCodes`), by the consent's status or by the fault. */
const returnCodes = { APPROVED: 0, REJECTED: 1, PENDING: 5, notFound: 2, notAuthenticated: 4 } as const

const optionalText = Type.Optional(Type.String({ maxLength: 8000 }))

/** Opens a visit of a borrower, who was sent here to sign in and decide on a consent. */
export const enterAggregator = route({
  method: 'GET',
  path: '/aggregator/web',
  section: 'FIS12 §7.8',
  summary: 'Receives a borrower from a lender or service provider',
  query: Type.Object({ fi: optionalText, reqdate: optionalText, ecreq: optionalText, requestorType: optionalText }),
  async handle({ query, at }, ctx: Context) {
    const { fi = '', reqdate = '', ecreq = '' } = query
    const requestorId = requestorIn({ fi, reqdate, ecreq })
    refuseUnstorable(requestorId, 'fi')
    const secret = await secretOf(ctx, requestorId)
    if (secret === null) return closedAnswer('We do not know the site that sent you here.')
    const redirection = await readRedirect({ fi, reqdate, ecreq }, secret, at)
    if ('fault' in redirection)
      return closedAnswer(
        redirection.fault === 'stale'
          ? 'This link was valid for three minutes and has expired.'
          : 'This link cannot be read.',
      )
    if (!/^https?:$/.test(URL.parse(redirection.returnUrl)?.protocol ?? ''))
      return closedAnswer('This link has no valid return address.')
    const visit = newVisit(redirection, requestorId, at)
    const consent = await consentOf(ctx, visit)
    if (!consent || !belongsTo(ctx, consent, visit)) return goBack(ctx, visit, returnCodes.notFound, at)
    return pageAnswer('Log in', loginPage(visit.userId, ticketOf(ctx, visit), null), { back: visit.returnUrl })
  },
})

export const logIn = route({
  method: 'POST',
  path: '/aggregator/web/login',
  section: 'FIS12 §7.8',
  summary: 'Verifies the mobile number of the borrower',
  accepts: 'raw',
  async handle({ raw, at }, ctx: Context) {
    const posted = new URLSearchParams(raw.toString('utf8'))
    const visit = visitOf(ctx, posted.get('ticket') ?? undefined, at)
    if (!visit) return closedAnswer('This page has expired.')
    if (posted.get('outcome') === 'leave') return goBack(ctx, visit, returnCodes.notAuthenticated, at)
    if (posted.get('otp')?.trim() !== sandboxOtp) {
      const page = loginPage(visit.userId, ticketOf(ctx, visit), 'The one-time password is wrong.')
      return pageAnswer('Log in', page, { status: 400, back: visit.returnUrl })
    }
    return showConsent(ctx, { ...visit, isLoggedIn: true }, null, at)
  },
})

export const decide = route({
  method: 'POST',
  path: '/aggregator/web/decide',
  section: 'FIS12 §7.8',
  summary: "Records the borrower's decision: approve, decline, later or lapse",
  accepts: 'raw',
  async handle({ raw, at }, ctx: Context) {
    const posted = new URLSearchParams(raw.toString('utf8'))
    const visit = visitOf(ctx, posted.get('ticket') ?? undefined, at)
    if (!visit?.isLoggedIn) return closedAnswer('This page has expired.')
    const outcome = posted.get('outcome')
    if (outcome === 'later') return goBack(ctx, visit, returnCodes.PENDING, at)
    if (outcome !== 'approve' && outcome !== 'decline' && outcome !== 'lapse')
      return showConsent(ctx, visit, 'Please choose one of the buttons.', at)
    const chosen = posted.getAll('account')
    if (outcome === 'approve' && chosen.length === 0)
      return showConsent(ctx, visit, 'Please choose at least one account to share.', at)
    const status = await recordDecision(ctx, visit, { outcome, chosen }, at)
    return goBack(ctx, visit, status === 'EXPIRED' ? returnCodes.PENDING : returnCodes[status], at)
  },
})

async function showConsent(ctx: Context, visit: Visit, fault: string | null, at: Date): Promise<Answer> {
  const consent = required(await consentOf(ctx, visit), 'consent of the visit')
  const detail = detailOf(ctx.seal, consent)
  const { status } = statusOf(consent, detail, at)
  if (status !== 'PENDING')
    return goBack(ctx, visit, status === 'EXPIRED' ? returnCodes.notFound : returnCodes[status], at)
  const { name: requestor } = required(await findEntity(ctx.db, visit.requestorId), 'requestor of the visit')
  const view = { requestor, detail, accounts: accountsOf(ctx.seal, detail) }
  return pageAnswer(`Share your ${sharedDataName(detail)}?`, consentPage(view, ticketOf(ctx, visit), fault), {
    status: fault === null ? 200 : 400,
    back: visit.returnUrl,
  })
}

const moves = { approve: 'approve', decline: 'reject', lapse: 'lapse' } as const

/** The borrower's decision, and the accounts to share. */
interface ConsentDecision {
  outcome: keyof typeof moves
  chosen: string[]
}

/** Records the decision. A second click returns the status of the first. */
function recordDecision(
  ctx: Context,
  { handles: [handle = ''] }: Visit,
  { outcome, chosen }: ConsentDecision,
  at: Date,
): Promise<ConsentRow['status']> {
  const { seal } = ctx
  return ctx.db.tx(async (tx) => {
    const consent = required(await lockConsent(tx, handle), 'consent of the visit')
    const detail = detailOf(seal, consent)
    const current = statusOf(consent, detail, at).status
    const status = next(consentMachine, current, moves[outcome])
    if (status === undefined) return current
    const accounts = accountsOf(seal, detail).filter(({ linkRefNumber }) => chosen.includes(linkRefNumber))
    const artefact =
      status === 'APPROVED' ? await artefactOf(ctx, consent.handle, approvedConsent(detail, accounts)) : noArtefact
    await decideConsent(tx, consent.handle, { status, ...artefact }, at)
    return status
  })
}

const noArtefact = { consentId: null, artefactStatus: null, signedConsentSealed: null }

async function artefactOf(
  { seal, signers }: Context,
  handle: string,
  consent: SignedConsent,
): Promise<Pick<ConsentRow, 'consentId' | 'artefactStatus' | 'signedConsentSealed'>> {
  const signed = await compactJws(consent, signers.aggregator)
  return {
    consentId: uuidv4(),
    artefactStatus: 'ACTIVE',
    signedConsentSealed: sealedSignedConsent(seal, handle, signed),
  }
}

const consentOf = async (
  { db }: Context,
  { handles: [handle = '', ...more] }: Visit,
): Promise<ConsentRow | undefined> => (isUuid(handle) && more.length === 0 ? findConsent(db, handle) : undefined)

const belongsTo = ({ seal }: Context, { customerDigest: digest }: ConsentRow, { userId }: Visit): boolean =>
  digest.equals(customerDigest(seal, userId))

const closedAnswer = (why: string): Answer =>
  pageAnswer('Nothing to do here', html`<p>${why} Please go back to where you came from and open it again.</p>`, {
    status: 400,
  })

const footer = html`<p>This account aggregator is fictional, and so are its banks. No real data is shared here.</p>`

/** Frames a page of the aggregator; `back` is the site to which its forms may redirect. */
function pageAnswer(
  title: string,
  body: Html,
  { status = 200, back = null }: { status?: number; back?: string | null | undefined } = {},
): Answer {
  const page = { title: `${title} · ${aggregatorName}`, heading: title, brand: aggregatorName, body, footer }
  return htmlAnswer(framed(page), status, { back })
}
