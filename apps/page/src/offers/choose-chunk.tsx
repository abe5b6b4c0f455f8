// Chunk with the chosen offer, of which the borrower confirms the amount and term, or changes them within the lender's
// limits.
import { useSignal } from '@preact/signals'
import { Actions, Button, Form } from '../form/form.tsx'
import { UnitsNeeded } from '../funds/funds-on-demand.tsx'
import { BranchField, GoldValue } from '../gold/gold-on-demand.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { isWeekly, months, rupees, tenureOf } from '../page/format.ts'
import { type ChooseProps, type PledgeEntries, page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'
import { isNear } from './branches.tsx'

function Choose({ offer, requested, wrongAmount, priceAt, select, Panel, Figures, onBack }: ChooseProps) {
  const terms = useSignal(requested)
  const typedAmount = useSignal<string | null>(null)
  const isChanging = useSignal(false)
  const { branches, lenderName: lender } = offer
  const branch = useSignal(branches.find(isNear)?.id ?? '')
  const hasBranch = branches.length === 0 || branches.some(({ id }) => id === branch.value)
  const pledgeEntries = useSignal<PledgeEntries | null>(null)
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const { amount, months: term } = terms.value
  const isAmountValid = typedAmount.value === null || typedAmount.value === String(amount)
  const price = priceAt(terms.value)

  function setTerms(next: ChooseProps['requested']): void {
    terms.value = next
    pledgeEntries.value = null
    errors.value = {}
  }
  /** Sets the amount to the loan value of the entered units; null lets the units follow the amount again. */
  function enterUnits(units: PledgeEntries | null): void {
    if (units?.rupees) {
      const amount = Number(units.rupees)
      typedAmount.value = units.rupees
      if (priceAt({ ...terms.value, amount }).fits) setTerms({ ...terms.value, amount })
    }
    pledgeEntries.value = units
    errors.value = {}
  }
  function showErrors(problems: FieldErrors): void {
    errors.value = problems
    attempt.value += 1
    if ('amount' in problems) isChanging.value = true
  }
  async function send(): Promise<void> {
    const problems = {
      ...(!isAmountValid && { amount: wrongAmount }),
      ...pledgeEntries.value?.errors,
      ...(!hasBranch && { branchID: '' }),
    }
    if (Object.keys(problems).length > 0) return showErrors(problems)
    const faults = await select(terms.value, {
      ...(branches.length > 0 && { branchID: branch.value }),
      ...(pledgeEntries.value && { pledges: pledgeEntries.value.pledges }),
    })
    const errorsFor = (path: string): FieldErrors => (path === 'branchID' ? { branchID: '' } : { amount: wrongAmount })
    if (faults && faults.length > 0) showErrors(Object.assign({}, ...faults.map(({ path }) => errorsFor(path))))
  }

  return (
    <section>
      <Title>
        {offer.creditLine
          ? t('choose.title.line', { amount: rupees(amount), lender })
          : t('choose.title', {
              amount: rupees(amount),
              term: isWeekly(offer) ? tenureOf(offer) : months(term),
              lender,
            })}
      </Title>
      <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
        <div class="estimate">
          <div role="status">
            <Figures price={price} />
          </div>
          {price.isEstimate && <p class="hint">{t('choose.estimate.why', { lender })}</p>}
        </div>
        <details
          class="whole"
          open={isChanging.value}
          onToggle={(event) => {
            isChanging.value = event.currentTarget.open
          }}
        >
          <summary>{t(offer.creditLine ? 'choose.change.line' : 'choose.change')}</summary>
          <Panel
            offers={[offer]}
            requested={terms.value}
            typed={typedAmount}
            error={errorOf(errors.value, 'amount')}
            onChange={setTerms}
            onDone={() => {}}
          />
        </details>
        <UnitsNeeded
          offer={offer}
          amount={isAmountValid ? amount : null}
          entries={pledgeEntries.value}
          errors={errors.value}
          onEnter={enterUnits}
        />
        <GoldValue offer={offer} />
        <BranchField
          branches={branches}
          value={branch.value}
          error={errorOf(errors.value, 'branchID')}
          onValue={(id) => {
            branch.value = id
            errors.value = {}
          }}
        />
        {offer.submits && (
          <>
            <p>{t('choose.submits.next', { lender })}</p>
            <p class="hint">{t('consent.submission')}</p>
          </>
        )}
        <Actions>
          <Button submit>{t(offer.submits ? 'choose.agree' : 'choose.submit')}</Button>
          <Button kind="quiet" onClick={onBack}>
            {t('choose.back')}
          </Button>
        </Actions>
      </Form>
    </section>
  )
}

page.choose = Choose
