// The chosen offer, as a separate chunk: confirmed at the comparison's amount and term, which can be changed within the
// lender's limits.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button, Form } from '../form/form.tsx'
import { BranchField, GoldValue } from '../gold/on-gold.tsx'
import { final } from '../loan/afterwards.tsx'
import { months, rupees } from '../page/format.ts'
import { type ChooseProps, here, type PledgeEntries } from '../page/here.ts'
import { Title } from '../page/title.tsx'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { language, t } from '../text.ts'
import { isNear } from './branches.tsx'
import { UnitsNeeded } from './secured.tsx'

function Choose({ offer, wanted, wrongAmount, price, Panel, Figures, back }: ChooseProps) {
  // Preloads the next screens.
  useEffect(() => void final.load(), [])
  const at = useSignal(wanted)
  const typed = useSignal<string | null>(null)
  const isChanging = useSignal(false)
  const { branches, lenderName: lender } = offer
  const branch = useSignal(branches.find(isNear)?.id ?? '')
  const isBranch = branches.length === 0 || branches.some(({ id }) => id === branch.value)
  const entered = useSignal<PledgeEntries | null>(null)
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  const { amount, months: term } = at.value
  const fits = typed.value === null || typed.value === String(amount)
  const shown = price(at.value)

  function set(next: ChooseProps['wanted']): void {
    at.value = next
    entered.value = null
    wrong.value = {}
  }
  /** The units' loan value becomes the amount; an entered amount becomes units. */
  function enter(units: PledgeEntries | null): void {
    if (units?.rupees) {
      const amount = Number(units.rupees)
      typed.value = units.rupees
      if (price({ ...at.value, amount }).fits) set({ ...at.value, amount })
    }
    entered.value = units
    wrong.value = {}
  }
  function refuse(found: Wrong): void {
    wrong.value = found
    attempt.value += 1
    if ('amount' in found) isChanging.value = true
  }
  async function send(): Promise<void> {
    const found = {
      ...(!fits && { amount: wrongAmount }),
      ...entered.value?.wrong,
      ...(!isBranch && { branchID: '' }),
    }
    if (Object.keys(found).length > 0) return refuse(found)
    const body = {
      amount: String(amount),
      tenureMonths: term,
      ...(branches.length > 0 && { branchID: branch.value }),
      ...(entered.value && { pledges: entered.value.pledges }),
      language: language.value,
    }
    const path = `/offers/${encodeURIComponent(offer.id)}/select`
    const faults = await here.session.act({ method: 'POST', path, body })
    const wordsOf = (path: string): Wrong => (path === 'branchID' ? { branchID: '' } : { amount: wrongAmount })
    if (faults && faults.length > 0) refuse(Object.assign({}, ...faults.map(({ path }) => wordsOf(path))))
  }

  return (
    <section>
      <Title>{t('choose.title', { amount: rupees(amount), term: months(term), lender })}</Title>
      <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
        <div class="estimate">
          <div role="status">
            <Figures priced={shown} />
          </div>
          {shown.isEstimate && <p class="hint">{t('choose.estimate.why', { lender })}</p>}
        </div>
        <details
          class="whole"
          open={isChanging.value}
          onToggle={(event) => {
            isChanging.value = event.currentTarget.open
          }}
        >
          <summary>{t('review.edit')}</summary>
          <Panel
            offers={[offer]}
            wanted={at.value}
            typed={typed}
            wrong={wordsFor(wrong.value, 'amount')}
            onChange={set}
            onDone={() => {}}
          />
        </details>
        <UnitsNeeded
          offer={offer}
          amount={fits ? amount : null}
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
