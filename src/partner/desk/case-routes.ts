// One case at the desk: its page, its files, and the acts of whoever reviews it; the same acts that the rules use.

import { paiseOf } from '#contract/exchange/fields.ts'
import type { Tx } from '#kit/db/sql.ts'
import { formFrom } from '#kit/http/form.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Case } from '#partner/case/case.ts'
import { lockCase } from '#partner/case/store.ts'
import { collect } from '#partner/collection/collect.ts'
import { releaseHold } from '#partner/collection/hold.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { type Context, route } from '#partner/context.ts'
import { readDocument } from '#partner/document/read-document.ts'
import { askToLeave } from '#partner/loan/exit.ts'
import { saveKeeps } from '#partner/loan/store.ts'
import { approve, reject } from '#partner/review/decide.ts'
import { decideKyc } from '#partner/review/decide-kyc.ts'
import { productTerms } from '#partner/review/product.ts'
import { nameOfBorrower } from './applicant-name.ts'
import { caseBody } from './case-page.ts'
import { whyNot } from './collection-texts.ts'
import { sentence } from './format.ts'
import { deskPage, goTo } from './frame.ts'
import { seeCase } from './read-case.ts'
import { atDesk, type Staff } from './staff.ts'
import { type Act, noteAct } from './staff-act.ts'

const path = '/desk/cases/{caseRef}'
const params = Type.Object({ caseRef: Type.String({ maxLength: 200 }) })
const common = { section: 'D3 §1.1', auth: atDesk, hidden: true } as const

interface CasePageRequest {
  caseRef: string
  problem: string | null
  at: Date
  status?: number
}

async function casePage(ctx: Context, who: Staff, { caseRef, problem, at, status = 200 }: CasePageRequest) {
  const seen = await seeCase(ctx, caseRef, at)
  const title = nameOfBorrower(seen.lead)
  return deskPage(ctx, who, { title, here: '/desk/cases', problem, body: caseBody(seen, ctx) }, status)
}

const show = route({
  ...common,
  method: 'GET',
  path,
  params,
  summary: 'A case with everything that is known of it',
  handle: ({ who, params: { caseRef }, at }, ctx) => casePage(ctx, who, { caseRef, problem: null, at }),
})

/** What somebody at the desk decides by a form. */
interface DeskDecision {
  form: URLSearchParams
  staffId: string
  at: Date
}
type Deciding = (tx: Tx, ctx: Context, loanCase: Case, decision: DeskDecision) => Promise<unknown>

/** An act on a case: done and written down under its lock, or its page again with the reason why it was not. */
const act = (name: string, summary: string, kind: Act, decide: Deciding) =>
  route({
    ...common,
    method: 'POST',
    path: `${path}/${name}`,
    params,
    summary,
    accepts: 'raw',
    async handle({ who, params: { caseRef }, raw, at }, ctx) {
      const form = formFrom(raw)
      try {
        await ctx.db.tx(async (tx) => {
          await decide(tx, ctx, await lockCase(tx, caseRef), { form, staffId: who.staffId, at })
          await noteAct(tx, { staffId: who.staffId, act: kind, about: { caseRef }, at })
        })
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'absent') throw error
        return casePage(ctx, who, {
          caseRef,
          problem: sentence(error.message),
          at,
          status: error.kind === 'invalid' ? 400 : 409,
        })
      }
      return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
    },
  })

const collectNow = route({
  ...common,
  method: 'POST',
  path: `${path}/collect`,
  section: 'D3 §6',
  params,
  summary: 'Look at the case for a debit now',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, at }, ctx) {
    const plan = await collect(ctx, caseRef, at, (tx) =>
      noteAct(tx, { staffId: who.staffId, act: 'DEBIT_ASKED', about: { caseRef }, at }),
    )
    if (!('blocked' in plan)) return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
    return casePage(ctx, who, { caseRef, problem: `No debit was asked for: ${whyNot(plan.blocked)}.`, at, status: 409 })
  },
})

const offer: Deciding = (tx, ctx, loanCase, { form, staffId, at }) => {
  const tenureWeeks = 22
  const terms = {
    ...productTerms(ctx.config, paise(form, 'amount'), tenureWeeks),
    annualRatePercent: percent(form, 'annualRatePercent'),
    feePercent: percent(form, 'feePercent'),
    taxPercent: percent(form, 'taxPercent'),
    otherChargesPaise: paise(form, 'otherCharges'),
  }
  const validUntil = daysAfter(at, Number(matching(form, 'validDays', /^[1-9]\d?$/)))
  return approve(tx, ctx, loanCase, { reviewerReference: staffId, terms, validUntil, at })
}

const refuse: Deciding = (tx, ctx, loanCase, { form, staffId, at }) =>
  reject(tx, ctx, loanCase, { reviewerReference: staffId, ...reasonIn(form), reasonMessage: words(form), at })

const reviewKyc: Deciding = (tx, ctx, loanCase, { form, staffId, at }) => {
  const decision = matching(form, 'decision', /^(APPROVED|REJECTED)$/) === 'APPROVED' ? 'APPROVED' : 'REJECTED'
  const reasonMessage = form.get('reasonMessage')?.trim() || null
  return decideKyc({ ...ctx, tx, at }, loanCase, {
    decision,
    reviewerReference: staffId,
    ...reasonIn(form),
    reasonMessage,
  })
}

const reasonIn = (form: URLSearchParams) => ({ reasonCode: matching(form, 'reasonCode', /^[A-Z][A-Z0-9_]{1,59}$/) })
const words = (form: URLSearchParams): string => matching(form, 'reasonMessage', /^[\s\S]{1,500}$/)
const percent = (form: URLSearchParams, name: string): string => matching(form, name, /^\d{1,2}(\.\d{1,2})?$/)

function paise(form: URLSearchParams, name: string): bigint {
  const [rupees = '', part = ''] = matching(form, name, /^\d{1,9}(\.\d{1,2})?$/).split('.')
  return paiseOf(`${BigInt(rupees)}.${part.padEnd(2, '0')}`)
}

function matching(form: URLSearchParams, name: string, pattern: RegExp): string {
  const value = form.get(name)?.trim() ?? ''
  if (!pattern.test(value)) throw new Refusal('invalid', `${name} is not readable: "${value}"`, { field: name })
  return value
}

const download = route({
  ...common,
  method: 'GET',
  path: `${path}/documents/{documentId}`,
  section: 'D3 §4.3',
  params: Type.Object({ ...params.properties, documentId: Type.String({ maxLength: 100 }) }),
  summary: 'A stored file; it was scanned before it was stored',
  async handle({ who, params: { caseRef, documentId }, at }, ctx) {
    const found = await readDocument(ctx, caseRef, documentId)
    if (!found) throw new Refusal('absent', 'there is no such file')
    await ctx.db.tx((tx) =>
      noteAct(tx, {
        staffId: who.staffId,
        act: 'FILE_READ',
        about: { caseRef, subject: found.document.documentType },
        at,
      }),
    )
    return answer(200, found.bytes, {
      'content-type': found.document.contentType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.document.fileName)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  },
})

const leave: Deciding = (tx, _ctx, { caseRef }, { at }) => askToLeave(tx, caseRef, businessDate(at))

const keeps: Deciding = (tx, _ctx, { caseRef }, { form }) =>
  saveKeeps(tx, caseRef, matching(form, 'keeps', /^(INSTALLMENT|TERM)$/) === 'TERM' ? 'TERM' : 'INSTALLMENT')

const disburse: Deciding = (tx, ctx, loanCase, { at }) => orderDisbursement({ ...ctx, tx, at }, loanCase)
const release: Deciding = (tx, _ctx, loanCase) => releaseHold(tx, loanCase.caseRef)

export const caseRoutes = [
  show,
  download,
  collectNow,
  act('offer', 'Approve with complete terms, or offer others', 'OFFERED', offer),
  act('reject', 'Reject the application', 'REJECTED', refuse),
  act('kyc', 'Review the KYC', 'KYC_REVIEWED', reviewKyc),
  act('disburse', 'Order the transfer', 'TRANSFER_ORDERED', disburse),
  act('exit', 'The borrower leaves within the cooling-off period', 'COOLING_OFF_EXIT', leave),
  act('keeps', 'What part payments leave as it is', 'PART_PAYMENT_CHOICE', keeps),
  act('release', 'Let debits go on', 'HOLD_RELEASED', release),
]
