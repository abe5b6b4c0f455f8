// How much and for how long of one offer, as a chunk of its own: within what the lender offers, with an estimate of the instalment.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { final } from './afterwards.tsx'
import { Amount } from './amount-field.tsx'
import { isNear } from './branches.tsx'
import { estimatedInstalment, sliderOf, startTenure, tenuresOf } from './estimate.ts'
import { SelectField } from './field-more.tsx'
import { Actions, Button, Form } from './form.tsx'
import { months, rupees } from './format.ts'
import { type ChooseProps, type Entered, here } from './here.ts'
import { BranchField, GoldValue } from './on-gold.tsx'
import { UnitsNeeded } from './secured.tsx'
import { language, t } from './text.ts'
import { Title } from './title.tsx'
import { type Wrong, wordsFor } from './wrong.ts'

function Choose({ offer, wanted, back }: ChooseProps) {
  // The next screens are there before they are needed.
  useEffect(() => void final.load(), [])
  const [least, most] = [Number(offer.least.amount), Number(offer.most.amount)]
  const range = { least: rupees(least), most: rupees(most) }
  const slider = sliderOf(least, most)
  const { isOpen } = slider
  const lender = offer.lenderName
  const amount = useSignal(String(Math.min(most, Math.max(least, wanted?.amount ?? Number(offer.start.amount)))))
  const tenures = tenuresOf(offer, wanted?.months)
  const tenure = useSignal(String(startTenure(wanted?.months ?? offer.start.tenureMonths, tenures)))
  const { branches } = offer
  const branch = useSignal(branches.find(isNear)?.id ?? '')
  const isBranch = branches.length === 0 || branches.some(({ id }) => id === branch.value)
  const entered = useSignal<Entered | null>(null)
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  const amountChosen = Number(amount.value)
  const fits = /^[1-9]\d*$/.test(amount.value) && amountChosen >= least && amountChosen <= most
  const estimate = fits ? estimatedInstalment(offer, amountChosen, Number(tenure.value)) : null

  function set(value: string): void {
    amount.value = value
    entered.value = null
    wrong.value = {}
  }
  /** What the units carry becomes the amount; an amount that is entered becomes units again. */
  function enter(units: Entered | null): void {
    if (units?.rupees) set(units.rupees)
    entered.value = units
    wrong.value = {}
  }
  const amountWrong = () => ({ amount: t(isOpen ? 'wrong.amount.most' : 'wrong.amount', range) })
  function refuse(found: Wrong): void {
    wrong.value = found
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const found = { ...(!fits && amountWrong()), ...entered.value?.wrong, ...(!isBranch && { branchID: '' }) }
    if (Object.keys(found).length > 0) return refuse(found)
    const body = {
      amount: amount.value,
      tenureMonths: Number(tenure.value),
      ...(branches.length > 0 && { branchID: branch.value }),
      ...(entered.value && { pledges: entered.value.pledges }),
      language: language.value,
    }
    const path = `/offers/${encodeURIComponent(offer.id)}/select`
    const faults = await here.session.act({ method: 'POST', path, body })
    if (faults && faults.length > 0)
      refuse(Object.assign({}, ...faults.map(({ path }) => (path === 'branchID' ? { branchID: '' } : amountWrong()))))
  }

  return (
    <section>
      <Title lead={t(isOpen ? 'choose.lead.most' : 'choose.lead', { lender, ...range })}>{t('choose.title')}</Title>
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
        <Amount
          value={amount.value}
          amount={fits ? amountChosen : least}
          slider={slider}
          wrong={wordsFor(wrong.value, 'amount')}
          onValue={set}
          onSlide={set}
        />
        {tenures.length > 1 && (
          <SelectField
            name="tenure"
            value={tenure.value}
            wrong={undefined}
            options={tenures.map((count) => [String(count), months(count)])}
            onValue={(value) => {
              tenure.value = value
            }}
          />
        )}
        {!offer.creditLine && (
          <div class="estimate">
            <p>{t('choose.estimate')}</p>
            <p class="amount" role="status">
              {estimate === null ? '–' : rupees(estimate)}
            </p>
            <p class="hint">{t('choose.estimate.why', { lender })}</p>
          </div>
        )}
        <UnitsNeeded
          offer={offer}
          amount={fits ? amountChosen : null}
          entered={entered.value}
          wrong={wrong.value}
          onEnter={enter}
        />
        <GoldValue offer={offer} />
        <BranchField
          branches={branches}
          value={branch.value}
          wrong={wordsFor(wrong.value, 'branchID')}
          onValue={(id) => {
            branch.value = id
            wrong.value = {}
          }}
        />
        {offer.submits && <p class="hint">{t('consent.submission')}</p>}
        <Actions>
          <Button submit>{t('choose.submit')}</Button>
          <Button kind="quiet" onClick={back}>
            {t('choose.back')}
          </Button>
        </Actions>
      </Form>
    </section>
  )
}

here.choose = Choose
