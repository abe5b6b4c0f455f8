// One case at the desk: its page, its files, and the acts of whoever reviews it; the same acts that the rules use.
import { daysAfter } from '#kit/clock.ts'
import { answer } from '#kit/http-server.ts'
import { paiseFrom } from '#kit/money.ts'
import { Refusal } from '#kit/refusal.ts'
import { Type } from '#kit/schema.ts'
import type { Tx } from '#kit/sql.ts'
import type { Case } from '#partner/case/case.ts'
import { lockCase } from '#partner/case/store.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { readDocument } from '#partner/document/read-document.ts'
import { approve, reject } from '#partner/review/decide.ts'
import { decideKyc } from '#partner/review/decide-kyc.ts'
import { productTerms } from '#partner/review/product.ts'
import { route, type World } from '#partner/world.ts'
import { caseBody } from './case-page.ts'
import { framed, goTo, pageAnswer } from './frame.ts'
import { seeCase } from './read-case.ts'
import { atDesk, type Staff } from './staff.ts'

const path = '/desk/cases/{caseRef}'
const params = Type.Object({ caseRef: Type.String({ maxLength: 200 }) })
const common = { section: 'D3 §1.1', auth: atDesk, hidden: true } as const

async function casePage(world: World, who: Staff, caseRef: string, problem: string | null, at: Date, status = 200) {
  const seen = await seeCase(world, caseRef, at)
  const title = `${seen.lead.borrower.first_name} ${seen.lead.borrower.last_name}, loan ${seen.kase.loanId}`
  const lender = world.config.PARTNER_LENDER_NAME
  return pageAnswer(framed({ title, staff: who, lender, body: caseBody(seen, world, problem) }), status)
}

const show = route({
  ...common,
  method: 'GET',
  path,
  params,
  summary: 'A case with everything that is known of it',
  handle: ({ who, params: { caseRef }, at }, world) => casePage(world, who, caseRef, null, at),
})

type Deciding = (tx: Tx, world: World, kase: Case, form: URLSearchParams, who: Staff, at: Date) => Promise<unknown>

/** An act on a case: done under its lock, or its page again with the reason why it was not. */
const act = (name: string, summary: string, decide: Deciding) =>
  route({
    ...common,
    method: 'POST',
    path: `${path}/${name}`,
    params,
    summary,
    accepts: 'raw',
    async handle({ who, params: { caseRef }, raw, at }, world) {
      const form = new URLSearchParams(raw.toString())
      try {
        await world.db.tx(async (tx) => decide(tx, world, await lockCase(tx, caseRef), form, who, at))
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'absent') throw error
        return casePage(world, who, caseRef, error.message, at, error.kind === 'invalid' ? 400 : 409)
      }
      return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
    },
  })

const offer: Deciding = (tx, world, kase, form, { staffId }, at) => {
  const tenureWeeks = 22
  const terms = {
    ...productTerms(world.config, paise(form, 'amount'), tenureWeeks),
    annualRatePercent: percent(form, 'annualRatePercent'),
    feePercent: percent(form, 'feePercent'),
    taxPercent: percent(form, 'taxPercent'),
    otherChargesPaise: paise(form, 'otherCharges'),
  }
  const validUntil = daysAfter(at, Number(matching(form, 'validDays', /^[1-9]\d?$/)))
  return approve(tx, world, kase, { reviewerReference: staffId, terms, validUntil }, at)
}

const refuse: Deciding = (tx, world, kase, form, { staffId }, at) =>
  reject(tx, world, kase, { reviewerReference: staffId, ...reasonIn(form), reasonMessage: words(form) }, at)

const reviewKyc: Deciding = (tx, world, kase, form, { staffId }, at) => {
  const decision = matching(form, 'decision', /^(APPROVED|REJECTED)$/) as 'APPROVED' | 'REJECTED'
  const reasonMessage = form.get('reasonMessage')?.trim() || null
  return decideKyc(tx, world, kase, { decision, reviewerReference: staffId, ...reasonIn(form), reasonMessage }, at)
}

const reasonIn = (form: URLSearchParams) => ({ reasonCode: matching(form, 'reasonCode', /^[A-Z][A-Z0-9_]{1,59}$/) })
const words = (form: URLSearchParams): string => matching(form, 'reasonMessage', /^[\s\S]{1,500}$/)
const percent = (form: URLSearchParams, name: string): string => matching(form, name, /^\d{1,2}(\.\d{1,2})?$/)

function paise(form: URLSearchParams, name: string): bigint {
  const [rupees, part = ''] = matching(form, name, /^\d{1,9}(\.\d{1,2})?$/).split('.')
  return paiseFrom(`${BigInt(rupees!)}.${part.padEnd(2, '0')}`)!
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
  async handle({ who, params: { caseRef, documentId } }, world) {
    const found = await readDocument(world, caseRef, documentId)
    if (!found) throw new Refusal('absent', 'there is no such file')
    world.log.info({ caseRef, documentId, staffId: who.staffId }, 'a file was read at the desk')
    return answer(200, found.bytes, {
      'content-type': found.document.contentType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.document.fileName)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  },
})

export const caseRoutes = [
  show,
  download,
  act('offer', 'Approve with complete terms, or offer others', offer),
  act('reject', 'Reject the application', refuse),
  act('kyc', 'Review the KYC', reviewKyc),
  act('disburse', 'Order the transfer', (tx, world, kase, _form, _who, at) => orderDisbursement(tx, world, kase, at)),
]
