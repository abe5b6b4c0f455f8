// Generates a portfolio of loans of every age in PostgreSQL. All loans have an instalment due on one day.

import { finalTerms, termsToJson } from '@lendloom/partner/src/origination/terms/terms.ts'
import { initialInstallments } from '@lendloom/partner/src/servicing/loan/open-loan.ts'
import type { Db } from '@lendloom/postgres/sql'

/** The business day on which every loan has a due instalment. */
export const dueDay = '2026-11-20'
export const caseRefOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const terms = finalTerms({
  amountPaise: 100_000_00n,
  tenureWeeks: 22,
  annualRatePercent: '24',
  feePercent: '2',
  taxPercent: '18',
  otherChargesPaise: 0n,
  // An instalment that was due a week ago is charged at the end of this day.
  penalty: { bps: 100, graceDays: 6, everyDays: 7, most: 4 },
  coolOffDays: 3,
})

/**
 * Stores `count` loans that are 1 to 22 weeks old. Of ten loans, eight have paid today's instalment, one has
 * not, and one has also missed the previous instalment. The ledgers match the instalments.
 */
export async function storePortfolio(db: Db, count: number): Promise<void> {
  const rows = initialInstallments(terms, dueDay, new Date())
  await db.tx(async (tx) => {
    await tx`
      create temporary table made on commit drop as
      select '00000000-0000-4000-8000-' || lpad(n::text, 12, '0') as case_ref, n, 1 + n % 22 as week,
        ${dueDay}::date - 7 * (1 + n % 22) as disbursed_on, n % 5 = 0 as owes_today, n % 10 = 0 and n % 22 > 0 as owes_before
      from generate_series(1, ${count}::int) as n`
    await tx`
      create temporary table planned on commit drop as
      select made.*, number, interest, principal, disbursed_on + 7 * number as due_on, number < week as fell_due,
        number <= week and not (number = week and owes_today) and not (number = week - 1 and owes_before) as paid
      from made, unnest(${rows.map((row) => row.number)}::int[], ${rows.map((row) => row.due.interest)}::bigint[],
        ${rows.map((row) => row.due.principal)}::bigint[]) as plan (number, interest, principal)`
    await tx`
      insert into case_file (case_ref, sender, lead_id, loan_id, status, product, mandate_required, pan_digest,
        person_digest, source_event_id, created_at, updated_at)
      select case_ref, 'LENDLOOM', '6' || n, '7' || n, 'DISBURSED', 'BUSINESS_LOAN', true, sha256(case_ref::bytea),
        sha256(case_ref::bytea), case_ref::uuid, disbursed_on, disbursed_on from made`
    await tx`
      insert into loan (case_ref, loan_id, loan_account_id, status, terms, disbursed_paise, disbursed_on, bank_reference,
        installment_paise, schedule_updated_at, next_work_on, next_due_on, principal_paise, opened_at, updated_at)
      select case_ref, '7' || n, 'LN' || n, case when owes_before then 'OVERDUE' else 'ACTIVE' end, ${termsToJson(terms)}::jsonb,
        ${terms.netPaise}, disbursed_on, 'UTR' || n,
        ${terms.installmentPaise}, disbursed_on, ${dueDay}::date,
        ${dueDay}::date + case when owes_before then -7 when owes_today then 0 else 7 end, 0, disbursed_on, ${dueDay}::date from made`
    await tx`
      insert into installment (case_ref, number, due_on, charges_paise, interest_paise, principal_paise, interest_paid_paise,
        principal_paid_paise, status, fell_due, next_penalty_on, updated_at)
      select case_ref, number, due_on, 0, interest, principal, case when paid then interest else 0 end,
        case when paid then principal else 0 end,
        case when paid then 'PAID' when fell_due then 'OVERDUE' else 'DUE' end, fell_due,
        case when fell_due then due_on + 7 end, ${dueDay}::date from planned`
    await tx`
      update loan set principal_paise = (select sum(principal_paise - principal_paid_paise) from installment i
        where i.case_ref = loan.case_ref)`
    await tx`
      create temporary table entered on commit drop as
      select case_ref, 'disbursement' as entry_id, 'DISBURSEMENT' as kind, disbursed_on as business_on, line, debit, credit, 0 as installment, paise
      from made, (values (1, 'PRINCIPAL', 'BANK', ${terms.netPaise}::bigint), (2, 'PRINCIPAL', 'FEE_INCOME', ${terms.feePaise}::bigint),
        (3, 'PRINCIPAL', 'TAX_PAYABLE', ${terms.taxPaise}::bigint)) as side (line, debit, credit, paise)
      union all
      select case_ref, 'due-' || number, 'DUE', due_on, 1, 'INTEREST', 'INTEREST_INCOME', number, interest from planned where fell_due
      union all
      select case_ref, 'receipt-' || number, 'RECEIPT', due_on, line, 'BANK', part, number, case line when 1 then interest else principal end
      from planned, (values (1, 'INTEREST'), (2, 'PRINCIPAL')) as side (line, part) where paid`
    await tx`
      insert into ledger_entry (case_ref, entry_id, kind, business_on, posted_at, posted_on)
      select case_ref, entry_id, kind, business_on, business_on, business_on from entered where line = 1`
    await tx`
      insert into ledger_posting (case_ref, entry_id, line, debit, credit, installment, paise)
      select case_ref, entry_id, line, debit, credit, installment, paise from entered`
  })
  await db`vacuum analyze`
}
