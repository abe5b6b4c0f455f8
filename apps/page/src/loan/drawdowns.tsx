// Drawing from an open credit line: the amount, the lender's terms to agree to, and what was drawn before (FIS12 §27.5).

import { interestOnDays } from '@lendloom/lending/annuity'
import { rupees as amountOf, checkedPaise, decimalFrom } from '@lendloom/lending/money'
import type { EmbedDrawdown } from '@lendloom/wire/hosted/drawdown'
import { useSignal } from '@preact/signals'
import { Actions, Button, Form, TroubleNotice } from '../form/form.tsx'
import { lenderOf } from '../offers/lender.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { lastMoment, moment, percent, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { Waiting } from '../page/waiting.tsx'
import { language, t } from '../text.ts'
import { SumRow } from './amounts-with-total.tsx'
import { LenderContact } from './cooling-off-exit.tsx'
import { inWholeRupees, isPaymentInTheWay, isWholeAmount, pendingPayment } from './payment-requests.tsx'

const drawdownPath = /^\/drawdowns/

/** Whether the lender owes an answer about a drawdown: until then, or for a day, nothing is repaid. */
export const isDrawing = (): boolean =>
  page.view.value.drawdowns.some(({ status, isLate }) => status === 'REQUESTED' || (status === 'AGREED' && !isLate))

const isOpen = ({ status }: EmbedDrawdown): boolean =>
  status === 'REQUESTED' || status === 'TERMS_READY' || status === 'AGREED'

/** The open drawdown or the form for the next one. The newest one that came to nothing is told above the form. */
export function Drawdowns({ lender }: { lender: string }) {
  const { drawdowns } = page.view.value
  const [newest] = drawdowns
  const open = drawdowns.find(isOpen)
  const closing = pendingPayment('FORECLOSURE')
  if (open) return <OpenDrawdown drawdown={open} lender={lender} />
  return (
    <section class="card" aria-labelledby="draw">
      <h2 id="draw">{t('draw.title')}</h2>
      {newest?.problem && (
        <div class="notice" role="status">
          <p>
            {t('draw.failed', { amount: rupees(newest.amount) })} {translate(newest.problem)}
          </p>
          <LenderContact lender={lenderOf(page.view.value)} lead={`${lender}:`} />
        </div>
      )}
      {closing ? (
        <WhileClosing until={closing.unpaidUntil ?? ''} />
      ) : (
        <DrawdownForm key={newest?.drawdownId} refused={newest?.problem ? newest.amount : ''} />
      )}
    </section>
  )
}

/** A line that is being closed pays nothing out, and the network has no message that takes the request back. */
const WhileClosing = ({ until }: { until: string }) => (
  <>
    <TroubleNotice of={drawdownPath} />
    <p>{t('line.close.pending', { when: moment(until) })}</p>
  </>
)

/** Asks for an amount in whole rupees, of which the form knows the most. A refused amount is kept, to be made smaller. */
function DrawdownForm({ refused }: { refused: string }) {
  const amount = useSignal(inWholeRupees(refused))
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const most = Math.floor(Number(page.view.value.creditLine?.free ?? 0))
  const isToPay = isPaymentInTheWay('PRE_PART_PAYMENT')
  if (most < 1) return <p>{t('draw.none')}</p>
  function refuse(text: string): void {
    errors.value = { draw: text }
    attempt.value += 1
  }
  async function send(): Promise<void> {
    if (!isWholeAmount(amount.value)) return refuse('')
    if (Number(amount.value) > most) return refuse(t('draw.most', { amount: rupees(most) }))
    const faults = await askForTerms(amount.value)
    if (faults?.length) refuse('')
  }
  return (
    <Form hasOneField errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
      <page.AmountField
        name="draw"
        value={amount.value}
        error={errorOf(errors.value, 'draw')}
        onValue={(value) => {
          amount.value = value
          errors.value = {}
        }}
      />
      <p class="hint">{t('draw.upto', { amount: rupees(most) })}</p>
      <Actions of={drawdownPath}>
        <Button submit kind={isToPay ? 'plain' : undefined}>
          {t('draw.ask')}
        </Button>
      </Actions>
    </Form>
  )
}

const askForTerms = (amount: string) => page.session.act({ method: 'POST', path: '/drawdowns', body: { amount } })

const act = (drawdownId: string, name: 'agree' | 'cancel', body: object) =>
  void page.session.act({ method: 'POST', path: `/drawdowns/${drawdownId}/${name}`, body })

/** Agrees to the terms that the page shows, under the text that stands above the button. */
const agree = (drawdownId: string, { quote }: TermsProps['terms']) => {
  const consents = [{ purpose: 'drawdown', textVersion: page.boot.consentVersion, language: language.value }]
  act(drawdownId, 'agree', { quote, consents })
}

function OpenDrawdown({ drawdown, lender }: { drawdown: EmbedDrawdown; lender: string }) {
  const { status, amount, terms, isLate } = drawdown
  const name = t('draw.of', { amount: rupees(amount) })
  return (
    <section class="card" aria-labelledby="draw">
      <h2 id="draw">{name}</h2>
      {status === 'REQUESTED' && (
        <>
          <Waiting>{t('draw.waiting', { lender })}</Waiting>
          <Actions of={drawdownPath}>
            <Leave drawdown={drawdown} />
          </Actions>
        </>
      )}
      {status === 'AGREED' && !isLate && <Waiting>{t('draw.paying', { lender, amount: rupees(amount) })}</Waiting>}
      {isLate && (
        <>
          <p role="status">{t('draw.late', { lender })}</p>
          <LenderContact lender={lenderOf(page.view.value)} />
        </>
      )}
      {terms && status !== 'REQUESTED' && <Terms drawdown={drawdown} terms={terms} lender={lender} />}
      {terms && status === 'TERMS_READY' && <Choice drawdown={drawdown} terms={terms} />}
    </section>
  )
}

const Leave = ({ drawdown: { drawdownId } }: Pick<TermsProps, 'drawdown'>) => (
  <Button kind="quiet" onClick={() => act(drawdownId, 'cancel', {})}>
    {t('draw.leave')}
  </Button>
)

interface TermsProps {
  drawdown: EmbedDrawdown
  terms: NonNullable<EmbedDrawdown['terms']>
}

/** What a day costs by the lender's rate, in rupees; null without interest. */
function dailyInterest({ principal, interestRate }: TermsProps['terms']): string | null {
  // Of a rate with two decimals, the hundredths are basis points.
  const bps = decimalFrom(interestRate?.replace('%', '') ?? '', 2)
  return bps ? amountOf(interestOnDays(checkedPaise(principal), bps, 1n)) : null
}

/**
 * What the lender states, and no more: it states no duration of the interest that it quotes, and when the interest is due is
 * in its agreement. What a day costs follows from its rate.
 */
function Terms({ drawdown: { accountEnding }, terms, lender }: TermsProps & { lender: string }) {
  const { principal, interest, charges, total, interestRate } = terms
  const daily = dailyInterest(terms)
  return (
    <>
      <dl class="sums">
        <SumRow label={t('draw.receive')} text={rupees(principal)} />
        {accountEnding && <SumRow label={t('draw.to')} text={`•••• ${accountEnding}`} />}
        {interestRate && <SumRow label={t('draw.rate')} text={t('draw.year', { rate: percent(interestRate) })} />}
        {daily && <SumRow label={t('draw.daily')} text={t('draw.about', { amount: rupees(daily) })} />}
        <SumRow label={t('draw.interest', { lender })} text={rupees(interest)} />
        {Number(charges) > 0 && <SumRow label={t('loan.charges')} text={rupees(charges)} />}
        <SumRow label={t('draw.total')} text={rupees(total)} isTotal />
      </dl>
      <p class="hint">
        {Number(interest) > 0 && t('draw.unstated', { lender, amount: rupees(interest) })} {t('draw.grows', { lender })}
      </p>
    </>
  )
}

function Choice({ drawdown, terms }: TermsProps) {
  const { drawdownId, amount } = drawdown
  if (terms.isOver)
    return (
      <>
        <p role="status">{t('draw.over')}</p>
        <Actions of={drawdownPath}>
          <Button onClick={() => void askForTerms(inWholeRupees(amount))}>{t('draw.again')}</Button>
          <Leave drawdown={drawdown} />
        </Actions>
      </>
    )
  return (
    <>
      <p class="hint">
        {t('consent.drawdown')} {terms.until && t('draw.until', { when: lastMoment(terms.until) })}
      </p>
      <Actions of={drawdownPath}>
        <Button onClick={() => agree(drawdownId, terms)}>{t('draw.agree', { amount: rupees(terms.principal) })}</Button>
        <Leave drawdown={drawdown} />
      </Actions>
    </>
  )
}
