// The form for the payout account, which the lender verifies; looks up the branch of an IFSC.

import type { EmbedBankBranch } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { accountNumberPattern, ifscPattern } from '@lendloom/wire/identifier'
import { useSignal } from '@preact/signals'
import { ChoiceField, TextField } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { fetchOptional } from '../page/fetch-optional.ts'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { t } from '../text.ts'
import { FailedStep } from './failed-step.tsx'
import { LenderName } from './lender-step.tsx'

const sentFields = ['accountHolderName', 'accountNumber', 'ifsc', 'accountType'] as const
type SentField = (typeof sentFields)[number]
/** `accountAgain` repeats the number to find typing errors; it is not sent. */
type AccountFieldName = SentField | 'accountAgain'
const patterns: Record<SentField, string> = {
  accountHolderName: '^.{1,100}$',
  accountNumber: accountNumberPattern,
  ifsc: ifscPattern,
  accountType: '^(saving|current)$',
}

/** Removes blanks and dashes, because banks print account numbers and codes in groups. */
const compact = (text: string): string => text.replace(/[\s-]/g, '')

/** Looks up bank and branch once the IFSC is complete. */
function useBranch() {
  const found = useSignal<EmbedBankBranch | null>(null)
  const code = useSignal('')
  async function lookUp(text: string): Promise<void> {
    const ifsc = compact(text).toUpperCase()
    if (ifsc === code.value) return
    code.value = ifsc
    found.value = null
    if (!new RegExp(ifscPattern).test(ifsc)) return
    const branch = await fetchOptional<EmbedBankBranch>(`/ifsc/${ifsc}`)
    if (code.value === ifsc) found.value = branch
  }
  return { found: found.value, find: lookUp }
}

/** Shows bank and branch. An unlisted IFSC may still be valid, because the branch may be new. */
const Branch = ({ found: branch }: { found: EmbedBankBranch | null }) => (
  <p class="known" role="status">
    {branch && [branch.bank, branch.branch].filter(Boolean).join(', ')}
    {branch && !branch.isKnown && ` ${t('bank.unknown')}`}
  </p>
)

/** Validates the input. Returns the request body and the fields with errors. */
function validate({ accountAgain, ...typed }: Record<AccountFieldName, string>) {
  const body = { ...typed }
  for (const name of sentFields) body[name] = body[name].trim()
  body.accountNumber = compact(body.accountNumber)
  body.ifsc = compact(body.ifsc)
  const faults: AccountFieldName[] = sentFields.filter((name) => !new RegExp(patterns[name]).test(body[name]))
  // An invalid number is reported alone, before its repetition.
  if (!faults.includes('accountNumber') && compact(accountAgain) !== body.accountNumber) faults.push('accountAgain')
  return { body, faults }
}

export function BankScreen() {
  const { steps, selected } = page.view.value
  if (steps.bankMandate.status !== 'IN_PROGRESS') return <AccountForm />
  return (
    <section key="checking">
      <Title lead={t('working.lead')}>{t('bank.checking', { lender: selected?.lenderName ?? '' })}</Title>
      <Waiting>{t('working.step', { step: t('stepName.bankMandate') })}</Waiting>
    </section>
  )
}

/** State and submission of the account form. */
function useAccount() {
  const { session, view } = page
  const { found, find: lookUp } = useBranch()
  const values = useSignal<Record<AccountFieldName, string>>({
    accountHolderName: view.value.profile.panName ?? '',
    accountNumber: '',
    accountAgain: '',
    ifsc: '',
    accountType: '',
  })
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)

  const field = (name: AccountFieldName) => ({
    name,
    value: values.value[name],
    error: errorOf(errors.value, name),
    onValue(value: string) {
      values.value = { ...values.value, [name]: value }
      if (name === 'ifsc') void lookUp(value)
      const { [name]: _, ...others } = errors.value
      errors.value = others
    },
  })
  function showErrors(next: FieldErrors): void {
    errors.value = next
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const { body, faults } = validate(values.value)
    if (faults.length > 0) return showErrors(Object.fromEntries(faults.map((name) => [name, ''])))
    const rejected = await session.act({ method: 'POST', path: '/steps/bank-mandate', body })
    if (rejected && rejected.length > 0) showErrors(Object.fromEntries(rejected.map(({ path }) => [path, ''])))
  }

  return { field, found, send, errors: errors.value, attempt: attempt.value }
}

/** Why the account is asked for now: some lenders need it before their final terms. */
function leadOf({ selected, status }: EmbedView): string {
  if (selected?.terms.creditLine) return t('bank.lead.line')
  return t(status === 'OFFER_SELECTED' ? 'bank.lead.offer' : 'bank.lead', { lender: selected?.lenderName ?? '' })
}

function AccountForm() {
  const view = page.view.value
  const { problem } = view.steps.bankMandate
  const { field, found, send, errors, attempt } = useAccount()
  return (
    <section key="form">
      <LenderName />
      <Title lead={leadOf(view)}>{t('bank.title')}</Title>
      {problem && <FailedStep step="bank" problem={problem} />}
      <Form errors={errors} attempt={attempt} onSubmit={() => void send()}>
        <TextField {...field('accountHolderName')} autocomplete="name" autocapitalize="words" maxLength={100} />
        <div class="masked">
          <TextField {...field('accountNumber')} inputMode="numeric" maxLength={24} />
        </div>
        <TextField {...field('accountAgain')} inputMode="numeric" maxLength={24} />
        <div>
          <TextField {...field('ifsc')} autocapitalize="characters" maxLength={24} />
          <Branch found={found} />
        </div>
        <ChoiceField {...field('accountType')} options={['saving', 'current']} />
        <Actions>
          <Button submit>{t('bank.submit')}</Button>
        </Actions>
      </Form>
    </section>
  )
}
