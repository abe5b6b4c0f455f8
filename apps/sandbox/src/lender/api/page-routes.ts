// GET and POST of the pages that borrowers complete. They work without scripts (FIS12 §7.7).

import { keysOf, ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { type PageFrame, redirect } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { type Context, route } from '#sandbox/core/context.ts'
import { htmlAnswer, notice } from '#sandbox/core/page-frame.ts'
import type { BorrowerPage, BorrowerPageView } from '#sandbox/lender/core/borrower-page.ts'
import { type Conversation, nextStatus } from '#sandbox/lender/core/conversation.ts'
import { stepOf } from '#sandbox/lender/core/find-step.ts'
import { type LenderPolicy, policyOf } from '#sandbox/lender/core/lender-policies.ts'
import { idOfLink, type LinkPurpose, linkToken } from '#sandbox/lender/core/link-token.ts'
import { lenderUrl, requireLoan } from '#sandbox/lender/core/message-parts.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import { accountOf, conversationOf, requireApplicant, submissionOf } from '#sandbox/lender/core/store.ts'
import { loanForms } from '#sandbox/lender/forms/loan-forms.ts'
import { closedPage, type Ending, framed, safeReturn, stepEndAnswer } from '#sandbox/lender/pages/page-frame.ts'
import { beginPage, completePage, type PageStatus, pageStatusOf } from '#sandbox/lender/process/complete-page.ts'
import { allProducts, policyFor } from '#sandbox/lender/products/products.ts'

const names = [...new Set(allProducts.flatMap(({ pages }) => keysOf(pages)))]
const params = Type.Object({ lender: Type.String(), page: OneOf(names), token: Type.String() })
const query = Type.Object({ return: Type.Optional(Type.String({ maxLength: 2000 })) })
const path = '/lenders/{lender}/pages/{page}/{token}'

export const showPage = route({
  method: 'GET',
  path,
  section: 'FIS12 §7.7',
  summary: 'A page that the borrower completes',
  params,
  query,
  async handle({ params: { lender, page: name, token }, query, at }, ctx) {
    const link = await openLink(ctx, lender, name, token)
    if (!link) return closedPage(policyOf(lender))
    const { policy, conversation, page } = link
    const { product } = policy
    const back = safeReturn(query.return, conversation)
    const pageStatus = pageStatusOf(await submissionOf(ctx.db, conversation.conversationId, page.heading))
    const step = stepOf(product, conversation, page.heading)
    if (pageStatus !== 'open' && pageStatus !== 'again') {
      const isDone = pageStatus === 'done'
      return stepEndAnswer({ ...endingOf(policy, page, pageStatus), policy, conversation, step, isDone, back })
    }
    if (nextStatus(product, conversation, step.completionMove) === undefined) return closedPage(policy, 409)
    if (step.endsWithPayout && !step.startsPending)
      await beginPage(ctx, { conversationId: conversation.conversationId, step }, at)
    return htmlAnswer(
      pageFor(page, await viewOf(ctx, policy, conversation, page), pageStatus === 'again' ? page.again : null, back),
    )
  },
})

export const submitPage = route({
  method: 'POST',
  path,
  section: 'FIS12 §7.7',
  summary: "Records the borrower's decision: outcome is approve or decline",
  params,
  query,
  accepts: 'raw',
  async handle({ params: { lender, page: name, token }, query, raw, at }, ctx) {
    const link = await openLink(ctx, lender, name, token)
    if (!link) return closedPage(policyOf(lender))
    const { policy, conversation, page } = link
    const posted = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
    const { outcome } = posted
    const back = safeReturn(query.return ?? posted.return, conversation)
    const showAgain = async (fault: string): Promise<Answer> =>
      htmlAnswer(pageFor(page, await viewOf(ctx, policy, conversation, page), fault, back), 400)
    if (outcome !== 'approve' && outcome !== 'decline') return showAgain('Please choose one of the two buttons.')
    const fault = page.fault?.(posted)
    if (fault) return showAgain(fault)
    try {
      const step = stepOf(policy.product, conversation, page.heading)
      const input = page.asksAccount && outcome === 'approve' ? loanForms.bank.parse(ctx, policy, posted) : undefined
      const { conversationId } = conversation
      await completePage(ctx, { conversationId, step, decision: outcome, store: input?.store }, at)
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'invalid') return showAgain(accountFault(error))
      if (error instanceof Refusal) return closedPage(policy, 409)
      throw error
    }
    // Redirects to the page by GET, so that a reload does not post again.
    const search = back === null ? '' : `?return=${encodeURIComponent(back)}`
    return redirect(`/lenders/${lender}/pages/${name}/${token}${search}`)
  },
})

const accountNames: Record<string, string> = {
  accHolderName: 'The name of the account holder',
  acctype: 'The kind of account',
  accNo: 'The account number',
  ifscCode: 'The IFSC',
}

const accountFault = ({ details }: Refusal): string =>
  (details.fields ?? [])
    .map(({ path: field, message }) => `${ownValue(accountNames, field) ?? field} ${message}.`)
    .join(' ')

async function openLink({ db, seal }: Context, lender: string, name: LinkPurpose, token: string) {
  // The link purpose of a page is its name.
  const conversationId = idOfLink(seal, name, token)
  if (conversationId === null) return null
  const conversation = await conversationOf(db, conversationId)
  if (conversation?.lender !== lender) return null
  const policy = policyFor(conversation)
  const page = policy.product.pages[name]
  return page ? { policy, conversation, page } : null
}

async function viewOf(
  ctx: Context,
  policy: ProductPolicy,
  conversation: Conversation,
  page: BorrowerPage,
): Promise<BorrowerPageView> {
  const { db, seal } = ctx
  const { conversationId } = conversation
  const units = await policy.product.units(db, seal, conversationId)
  const submission = await submissionOf(db, conversationId, page.heading)
  return {
    policy,
    conversation,
    applicant: await requireApplicant(db, seal, conversationId),
    account: await accountOf(db, seal, conversationId),
    loan: requireLoan({ policy, conversation }),
    isLine: policy.product.isLine(policy),
    pledged: units?.final ?? [],
    attempt: submission?.attempt ?? 0,
    keyFactsUrl: `${lenderUrl(ctx, policy)}/key-facts/final/${linkToken(seal, 'final-key-facts', conversationId)}`,
    agreementUrl: `${lenderUrl(ctx, policy)}/agreement/${linkToken(seal, 'agreement-document', conversationId)}`,
  }
}

function pageFor(page: BorrowerPage, view: BorrowerPageView, fault: string | null, back: string | null): PageFrame {
  const body = html`${notice(fault)}
${page.body(view)}
<form method="POST">
${back !== null && html`<input type="hidden" name="return" value="${back}">`}
${page.fields?.(view)}
<div class="actions"><button class="primary" name="outcome" value="approve">${page.approve}</button><button class="secondary" name="outcome" value="decline" formnovalidate>${page.decline}</button></div>
</form>`
  return framed({ title: page.title, policy: view.policy, body })
}

function endingOf(policy: LenderPolicy, page: BorrowerPage, pageStatus: Exclude<PageStatus, 'open' | 'again'>): Ending {
  const endings: Record<Exclude<PageStatus, 'open' | 'again'>, Ending> = {
    done: { title: page.done },
    rejected: { title: 'This step was not completed', text: `${policy.name} needs it, so the application ends here.` },
    expired: { title: 'The offer has expired', text: 'It was too late for this step, so the application ends here.' },
  }
  return endings[pageStatus]
}
