// Routes of the documents and pages that a lender's messages link to.

import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { inlineFile, type PageFrame } from '@lendloom/http/page-frame'
import { type Answer, answer } from '@lendloom/http/server'
import { businessDate, longDayText } from '@lendloom/lending/calendar'
import { type Context, route } from '#sandbox/core/context.ts'
import { assets, htmlAnswer } from '#sandbox/core/page-frame.ts'
import type { PledgedUnits } from '#sandbox/lender/core/borrower-page.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { type LenderPolicy, policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { loanOf } from '#sandbox/lender/core/lending-decision.ts'
import { idOfLink, type LinkPurpose } from '#sandbox/lender/core/link-token.ts'
import { chosenOf, lenderUrl, offeredOf } from '#sandbox/lender/core/message-parts.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import { accountOf, applicantOf, conversationOf } from '#sandbox/lender/core/store.ts'
import { type KeyFacts, keyFacts } from '#sandbox/lender/documents/key-facts.ts'
import { agreementPdf, keyFactsPage, keyFactsPdf, sanctionPdf } from '#sandbox/lender/documents/loan-papers.ts'
import { closedPage } from '#sandbox/lender/pages/page-frame.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { aboutPage, cancellationPage, colours, helpPage, logo, payoutPage, termsPage } from './public-pages.ts'

const Lender = Type.Object({ lender: Type.String() })
const KeyFactsLink = Type.Object({ lender: Type.String(), stage: OneOf(['offer', 'final']), token: Type.String() })
const section = 'FIS12 §7.3'

const keyFactsRoute = route({
  method: 'GET',
  path: '/lenders/{lender}/key-facts/{stage}/{token}',
  section,
  summary: 'The key facts statement of one offer',
  params: KeyFactsLink,
  async handle({ params: { lender, stage, token } }, ctx) {
    const document = await openDocument(ctx, lender, `${stage}-key-facts`, token)
    const facts = document && factsOf(document, stage)
    if (!document || !facts) return closedPage(policyOf(lender))
    return htmlAnswer(
      keyFactsPage(document.policy, facts, `${lenderUrl(ctx, document.policy)}/key-facts/${stage}/${token}/pdf`),
    )
  },
})

const keyFactsPdfRoute = route({
  method: 'GET',
  path: '/lenders/{lender}/key-facts/{stage}/{token}/pdf',
  section,
  summary: 'The key facts statement of one offer, as PDF',
  params: KeyFactsLink,
  async handle({ params: { lender, stage, token } }, ctx) {
    const document = await openDocument(ctx, lender, `${stage}-key-facts`, token)
    const facts = document && factsOf(document, stage)
    if (!document || !facts) return closedPage(policyOf(lender))
    return pdfAnswer('key-facts', await keyFactsPdf(document.policy, facts, document.conversation.createdAt))
  },
})

const agreementRoute = route({
  method: 'GET',
  path: '/lenders/{lender}/agreement/{token}',
  section: 'FIS12 §8.3',
  summary: 'The loan agreement, as PDF',
  params: Type.Object({ lender: Type.String(), token: Type.String() }),
  async handle({ params: { lender, token } }, ctx) {
    const document = await openDocument(ctx, lender, 'agreement-document', token)
    const facts = document && factsOf(document, 'final')
    if (!document || !facts) return closedPage(policyOf(lender))
    const { conversationId, orderId, sanctionedAt, createdAt } = document.conversation
    const applicant = await applicantOf(ctx.db, ctx.seal, conversationId)
    const account = await accountOf(ctx.db, ctx.seal, conversationId)
    if (!applicant || (!account && document.policy.product.agreementNeedsAccount)) return closedPage(document.policy)
    const signedOn = sanctionedAt && businessDate(sanctionedAt)
    const paper = { policy: document.policy, facts, applicant, account, orderId, signedOn, createdAt }
    return pdfAnswer('loan-agreement', await agreementPdf(paper))
  },
})

const sanctionRoute = route({
  method: 'GET',
  path: '/lenders/{lender}/sanction-letter/{token}',
  section: 'FIS12 §8.3',
  summary: 'The sanction letter, as PDF',
  params: Type.Object({ lender: Type.String(), token: Type.String() }),
  async handle({ params: { lender, token } }, ctx) {
    const document = await openDocument(ctx, lender, 'sanction-letter', token)
    const facts = document && factsOf(document, 'final')
    const { conversationId, sanctionedAt, createdAt } = document?.conversation ?? {}
    const applicant = conversationId && (await applicantOf(ctx.db, ctx.seal, conversationId))
    if (!document || !facts || !applicant || !sanctionedAt || !createdAt) return closedPage(policyOf(lender))
    const paper = { policy: document.policy, facts, applicant, sanctionedOn: businessDate(sanctionedAt), createdAt }
    return pdfAnswer('sanction-letter', await sanctionPdf(paper))
  },
})

interface DocumentContext {
  policy: ProductPolicy
  conversation: Conversation
  units: PledgedUnits | null
}

/** Reads what a link is about; null if its token is invalid or of another lender. */
async function openDocument(
  { db, seal }: Context,
  lender: string,
  purpose: LinkPurpose,
  token: string,
): Promise<DocumentContext | null> {
  const conversationId = idOfLink(seal, purpose, token)
  if (conversationId === null) return null
  const conversation = await conversationOf(db, conversationId)
  if (conversation?.lender !== lender) return null
  const policy = policyFor(conversation)
  return { policy, conversation, units: await policy.product.units(db, seal, conversationId) }
}

/** Returns the key facts of the offer, or of the amount that the borrower chose; null before there is one. */
function factsOf({ policy, conversation, units }: DocumentContext, stage: 'offer' | 'final'): KeyFacts | null {
  const request = stage === 'offer' ? offeredOf(conversation) : chosenOf(conversation)
  const { lapsesAt, createdAt, agreedOn, conversationId } = conversation
  if (!request || !lapsesAt) return null
  return keyFacts({
    policy,
    loan: loanOf(policy, request),
    proposalNumber: `${policy.slug.toUpperCase()}-${conversationId}`,
    startsOn: agreedOn ?? businessDate(createdAt),
    validity: `It binds the lender until ${longDayText(businessDate(lapsesAt))}.`,
    security: policy.product.security(policy, conversation, stage, units),
    isLine: policy.product.isLine(policy),
  })
}

const pdfAnswer = (name: string, bytes: Buffer): Answer => inlineFile(`${name}.pdf`, 'application/pdf', bytes)

/** A page of a lender that is the same for all borrowers. */
const publicPage = (name: string, summary: string, page: (policy: LenderPolicy) => PageFrame) =>
  route({
    method: 'GET',
    path: `/lenders/{lender}${name}`,
    section,
    summary,
    params: Lender,
    handle: ({ params: { lender } }) => {
      const policy = policyOf(lender)
      return policy ? htmlAnswer(page(policy)) : closedPage()
    },
  })

/** A file that a lender's pages load, in the colours of the lender. */
const generatedFile = (name: string, type: string, generate: (policy: LenderPolicy) => string) =>
  route({
    method: 'GET',
    path: `/lenders/{lender}/${name}`,
    section,
    summary: `${name} of a lender`,
    params: Lender,
    handle: ({ params: { lender } }) => {
      const policy = policyOf(lender)
      if (!policy) throw new Refusal('absent', 'there is no such lender')
      return answer(200, generate(policy), cacheHeaders(type))
    },
  })

const asset = (name: keyof typeof assets) =>
  route({
    method: 'GET',
    path: `/lenders/-/${name}`,
    section,
    summary: `${name} of all lender pages`,
    handle: () => answer(200, assets[name].text, cacheHeaders(assets[name].type)),
  })

const cacheHeaders = (type: string) => ({
  'content-type': type,
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
})

export const documentRoutes = [
  keyFactsRoute,
  keyFactsPdfRoute,
  agreementRoute,
  sanctionRoute,
  publicPage('', 'About a lender', aboutPage),
  publicPage('/terms', "A lender's terms", termsPage),
  publicPage('/help', 'Support and grievance redressal', helpPage),
  publicPage('/payout', 'How a payout proceeds', payoutPage),
  publicPage('/cancellation', 'How to cancel a loan', cancellationPage),
  generatedFile('logo.svg', 'image/svg+xml', (policy) => logo(policy).text),
  generatedFile('colours.css', 'text/css; charset=utf-8', colours),
  asset('page.css'),
  asset('home.css'),
  asset('tell-app.js'),
  asset('close.js'),
]
