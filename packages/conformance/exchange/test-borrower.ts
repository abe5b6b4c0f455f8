// The test borrower's application, and its files.

import { daysAfter } from '@lendloom/foundation/clock'
import { businessDate } from '@lendloom/lending/calendar'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleLead } from '@lendloom/wire/exchange/example/event'
import type { Run } from './run.ts'
import type { Person } from './run-memory.ts'

/** The two files that the lead announces. */
export const manifest = {
  bureau: { document_reference_id: 'CONFORM-DOC-1', document_type: 'BUREAU_REPORT' },
  analysis: { document_reference_id: 'CONFORM-DOC-2', document_type: 'BANK_ANALYSIS_REPORT' },
} as const

/** A lead of the person. The business name is in Devanagari, to test that signatures are over bytes. */
export function leadOf(person: Person, dedupeReferenceId: string): DataOf<'LEAD_SUBMITTED'> {
  const lead = exampleLead()
  const at = new Date().toISOString()
  const consent = { accepted: true, at }
  return {
    ...lead,
    dedupe_reference_id: dedupeReferenceId,
    consents: { bureau: consent, bank_analysis: consent, data_sharing: consent, submission: consent },
    documents_expected: [manifest.bureau, manifest.analysis],
    borrower: { ...lead.borrower, ...person },
    business: { ...lead.business, name: 'आशा Stores', pan: null, gstin: null },
  }
}

/** The dedupe request for the person, sent before the lead. */
export function dedupeRequest(requestId: string, reference: string, person: Person) {
  const { first_name, last_name, date_of_birth } = exampleLead().borrower
  return {
    request_id: requestId,
    external_reference_id: reference,
    product: 'BUSINESS_LOAN',
    applicant: { ...person, date_of_birth, name: `${first_name} ${last_name}` },
  }
}

/** The common fields of a provider's current result; each kind of check has its own reference. */
export const providerFields = (run: Run, checkName: string) => ({
  provider: 'CONFORM',
  provider_reference_id: `${checkName}-${run.memory.caseRef}`,
  provider_updated_at: new Date().toISOString(),
})

export const kyc = (run: Run, change: Partial<DataOf<'KYC_UPDATED'>>): DataOf<'KYC_UPDATED'> => ({
  ...exampleData('KYC_UPDATED'),
  ...providerFields(run, 'kyc'),
  ...change,
})

export const mandate = (run: Run): DataOf<'MANDATE_UPDATED'> => ({
  ...exampleData('MANDATE_UPDATED'),
  ...providerFields(run, 'mandate'),
  maximum_amount: '100000.00',
  valid_from: businessDate(new Date()),
  valid_until: businessDate(daysAfter(new Date(), 365)),
})

export const claim = (reference: string): DataOf<'PAYMENT_CLAIM_SUBMITTED'> => ({
  ...exampleData('PAYMENT_CLAIM_SUBMITTED'),
  claim_reference: reference,
  amount: '1.00',
  payment_date: businessDate(new Date()),
  transaction_reference: `CONFORM${Date.now()}`,
})

/** A valid PDF of one page, enlarged by a stream of `padding` bytes. */
export function pdf(text: string, padding = 0): Buffer {
  const page = `BT /F1 12 Tf 72 720 Td (${text.replace(/[()\\]/g, ' ')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...(padding > 0 ? [`<< /Length ${padding} >>\nstream\n${' '.repeat(padding)}\nendstream`] : []),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\n`
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, 'latin1')
}

/** A grey square. */
export const png = (): Buffer =>
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR4nGNogAIGyhgAgIQgAQ2AJGEAAAAASUVORK5CYII=',
    'base64',
  )
