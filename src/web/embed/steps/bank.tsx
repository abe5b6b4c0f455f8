// The payout account, entered here and verified by the lender.

import { useSignal } from '@preact/signals'
import type { EmbedBankBranch } from '#contract/hosted/embed-lender.ts'
import { accountNumberPattern, ifscPattern } from '#contract/identifier.ts'
import { ChoiceField, TextField } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { look } from '../page/look.ts'
import { Title } from '../page/title.tsx'
import { Waiting } from '../page/waiting.tsx'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t } from '../text.ts'
import { FailedStep } from './failed-step.tsx'

const names = ['accountHolderName', 'accountNumber', 'ifsc', 'accountType'] as const
type Name = (typeof names)[number]
/** Retyped here to find a slip; never sent. */
type AccountFieldName = Name | 'accountAgain'
const patterns: Record<Name, string> = {
  accountHolderName: '\\S',
  accountNumber: accountNumberPattern,
  ifsc: ifscPattern,
  accountType: '^(saving|current)$',
}

/** Banks print account numbers in groups. */
const digitsOf = (number: string): string => number.replace(/[\s-]/g, '')

/** The bank and branch of the code that was typed last, once it is whole. */
function useBranch() {
  const found = useSignal<EmbedBankBranch | null>(null)
  const code = useSignal('')
  async function find(typed: string): Promise<void> {
    const ifsc = typed.trim().toUpperCase()
    if (ifsc === code.value) return
    code.value = ifsc
    found.value = null
    if (!new RegExp(ifscPattern).test(ifsc)) return
    const branch = await look<EmbedBankBranch>(`/ifsc/${ifsc}`)
    if (code.value === ifsc) found.value = branch
  }
  return { found: found.value, find }
}

/** A code without a list entry may still be valid: the branch may be new. */
const Branch = ({ found }: { found: EmbedBankBranch | null }) => (
  <p class="known" role="status">
    {found && [found.bank, found.branch].filter(Boolean).join(', ')}
    {found && !found.isKnown && ` ${t('bank.unknown')}`}
  </p>
)

/** The data to send, with faults. */
function checked({ accountAgain, ...typed }: Record<AccountFieldName, string>) {
  const body = { ...typed }
  for (const name of names) body[name] = body[name].trim()
  body.accountNumber = digitsOf(body.accountNumber)
  const faults: AccountFieldName[] = names.filter((name) => !new RegExp(patterns[name]).test(body[name]))
  // A wrong number is corrected first.
  if (!faults.includes('accountNumber') && digitsOf(accountAgain) !== body.accountNumber) faults.push('accountAgain')
  return { body, faults }
}

export function BankScreen() {
  const { steps, selected } = here.view.value
  if (steps.bankMandate.status !== 'IN_PROGRESS') return <AccountForm />
  return (
    <section key="checking">
      <Title lead={t('working.lead')}>{t('bank.checking', { lender: selected?.lenderName ?? '' })}</Title>
      <Waiting>{t('page.working')}</Waiting>
    </section>
  )
}

/** The account's input with faults, and its submission to the lender. */
function useAccount() {
  const { session, view } = here
  const { found, find } = useBranch()
  const values = useSignal<Record<AccountFieldName, string>>({
    accountHolderName: view.value.profile.panName ?? '',
    accountNumber: '',
    accountAgain: '',
    ifsc: '',
    accountType: '',
  })
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)

  const field = (name: AccountFieldName) => ({
    name,
    value: values.value[name],
    wrong: wordsFor(wrong.value, name),
    onValue(value: string) {
      values.value = { ...values.value, [name]: value }
      if (name === 'ifsc') void find(value)
      const { [name]: _, ...others } = wrong.value
      wrong.value = others
    },
  })
  function refuse(next: Wrong): void {
    wrong.value = next
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const { body, faults } = checked(values.value)
    if (faults.length > 0) return refuse(Object.fromEntries(faults.map((name) => [name, ''])))
    const refused = await session.act({ method: 'POST', path: '/steps/bank-mandate', body })
    if (refused && refused.length > 0) refuse(Object.fromEntries(refused.map(({ path }) => [path, ''])))
  }

  return { field, found, send, wrong: wrong.value, attempt: attempt.value }
}

function AccountForm() {
  const view = here.view.value
  const lender = view.selected?.lenderName ?? ''
  const { problem } = view.steps.bankMandate
  const { field, found, send, wrong, attempt } = useAccount()
  return (
    <section key="form">
      <Title lead={view.selected?.terms.creditLine ? t('bank.lead.line') : t('bank.lead', { lender })}>
        {t('bank.title')}
      </Title>
      {problem && <FailedStep step="bank" problem={problem} />}
      <Form wrong={wrong} attempt={attempt} onSubmit={() => void send()}>
        <TextField {...field('accountHolderName')} autocomplete="name" autocapitalize="words" maxLength={100} />
        <div class="masked">
          <TextField {...field('accountNumber')} inputMode="numeric" maxLength={24} />
        </div>
        <TextField {...field('accountAgain')} inputMode="numeric" maxLength={24} />
        <div>
          <TextField {...field('ifsc')} autocapitalize="characters" maxLength={11} />
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
