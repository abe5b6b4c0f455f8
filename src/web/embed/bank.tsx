// The account the money goes to, entered here and checked by the lender.

import { useSignal } from '@preact/signals'
import { accountNumberPattern, ifscPattern } from '#contract/identifier.ts'
import { FailedStep } from './failed-step.tsx'
import { ChoiceField, TextField } from './field.tsx'
import { Actions, Button, Form } from './form.tsx'
import { here } from './here.ts'
import { t } from './text.ts'
import { Title } from './title.tsx'
import { Waiting } from './waiting.tsx'
import { type Wrong, wordsFor } from './wrong.ts'

const names = ['accountHolderName', 'accountNumber', 'ifsc', 'accountType'] as const
type Name = (typeof names)[number]
const patterns: Record<Name, string> = {
  accountHolderName: '\\S',
  accountNumber: accountNumberPattern,
  ifsc: ifscPattern,
  accountType: '^(saving|current)$',
}

export function BankScreen() {
  const { session } = here
  const view = here.view.value
  const lender = view.selected?.lenderName ?? ''
  const { status, problem } = view.steps.bankMandate
  const values = useSignal<Record<Name, string>>({
    accountHolderName: view.profile.panName ?? '',
    accountNumber: '',
    ifsc: '',
    accountType: '',
  })
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)

  const field = (name: Name) => ({
    name,
    value: values.value[name],
    wrong: wordsFor(wrong.value, name),
    onValue(value: string) {
      values.value = { ...values.value, [name]: value }
      const { [name]: _, ...others } = wrong.value
      wrong.value = others
    },
  })
  function refuse(next: Wrong): void {
    wrong.value = next
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const body = { ...values.value }
    for (const name of names) body[name] = body[name].trim()
    body.accountNumber = body.accountNumber.replace(/[\s-]/g, '')
    const faults = names.filter((name) => !new RegExp(patterns[name]).test(body[name]))
    if (faults.length > 0) return refuse(Object.fromEntries(faults.map((name) => [name, ''])))
    const refused = await session.act({ method: 'POST', path: '/steps/bank-mandate', body })
    if (refused && refused.length > 0) refuse(Object.fromEntries(refused.map(({ path }) => [path, ''])))
  }

  if (status === 'IN_PROGRESS')
    return (
      <section key="checking">
        <Title lead={t('working.lead')}>{t('bank.checking', { lender })}</Title>
        <Waiting>{t('page.working')}</Waiting>
      </section>
    )
  return (
    <section key="form">
      <Title lead={view.selected?.terms.creditLine ? t('bank.lead.line') : t('bank.lead', { lender })}>
        {t('bank.title')}
      </Title>
      {problem && <FailedStep step="bank" problem={problem} />}
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
        <TextField {...field('accountHolderName')} autocomplete="name" autocapitalize="words" maxLength={100} />
        <TextField {...field('accountNumber')} inputMode="numeric" maxLength={24} />
        <TextField {...field('ifsc')} autocapitalize="characters" maxLength={11} />
        <ChoiceField {...field('accountType')} options={['saving', 'current']} />
        <Actions>
          <Button submit>{t('bank.submit')}</Button>
        </Actions>
      </Form>
    </section>
  )
}
