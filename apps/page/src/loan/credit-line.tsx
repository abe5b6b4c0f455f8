// An open credit line: available and drawn amounts, and drawing and repaying, here or at the lender itself.

import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { useSignal } from '@preact/signals'
import { Actions, Button, TroubleNotice } from '../form/form.tsx'
import { UnitsPledged } from '../funds/funds-on-demand.tsx'
import { Complain } from '../help/complaint-section.tsx'
import { ExternalLink, lenderOf, Officer } from '../offers/lender.tsx'
import { Tick } from '../page/checkmark.tsx'
import { day, moment, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t } from '../text.ts'
import { type Figure, FigureList } from './amounts-with-total.tsx'
import { CloseLine } from './close-line.tsx'
import { Drawdowns, isDrawing } from './drawdowns.tsx'
import { LinePayments, LineRepayment } from './early-payments.tsx'
import { LineHistory } from './line-history.tsx'
import { LineNews } from './line-news.tsx'
import { LoanDocuments, LoanNumbers } from './loan-documents.tsx'
import { isPaymentPending } from './payment-requests.tsx'
import { Exit } from './stopped-page.tsx'

function LineScreen() {
  const view = page.view.value
  const isRequested = useSignal(false)
  const { creditLine: line, selected, screen, drawsHere, paysHere, servicing } = view
  const lender = selected?.lenderName || t('loan.lender')
  const isClosed = screen === 'CLOSED'
  const isClosing = isPaymentPending('FORECLOSURE')
  const support = lenderOf(view)?.support
  const isRepayable = paysHere && !isDrawing()
  async function requestStatus(): Promise<void> {
    isRequested.value = (await page.session.act({ method: 'POST', path: '/servicing/status', body: {} })) === null
  }
  if (!line) return null
  if (page.inner.value === 'close' && isRepayable && !isClosed && !isClosing) return <CloseLine lender={lender} />
  return (
    // A new payment restarts the screen at its top, where the payment is.
    <section key={[screen, ...servicing.map(({ operationId }) => operationId)].join()}>
      {(isClosed || (isUntouched(view) && !isClosing)) && <Tick />}
      <Title lead={leadOf(view, lender)}>{t(titleOf(view))}</Title>
      <TroubleNotice of={/^$/} />
      {!isClosed && (
        <>
          <LineNews lender={lender} />
          <div class="deal">
            <FigureList figures={figuresOf(line)} />
          </div>
          <p class="hint" role="status">
            {isRequested.value
              ? t('line.requested', { lender })
              : t('line.reported', { lender, when: moment(line.changedAt) })}
          </p>
          {drawsHere && <LatestFigures ask={requestStatus} />}
          {isRepayable && <LinePayments lender={lender} />}
          {drawsHere && <Drawdowns lender={lender} />}
          {isRepayable && <LineRepayment />}
          <LineHistory />
          {!drawsHere && (
            <>
              <h2>{t('line.draw')}</h2>
              <p>{t('line.draw.how', { lender })}</p>
              <Actions of={/\/status$/}>
                {support && (
                  <ExternalLink look="button main" href={support.link}>
                    {t('line.there', { lender })}
                  </ExternalLink>
                )}
                <Button kind="plain" onClick={() => void requestStatus()}>
                  {t('line.ask')}
                </Button>
              </Actions>
            </>
          )}
        </>
      )}
      <Exit text={t('disbursed.exit')} kind={isClosed || !(support || drawsHere) ? 'main' : 'quiet'} />
      {isClosed && <LineHistory />}
      <LoanNumbers />
      {selected && <UnitsPledged after pledges={selected.pledges} {...(isClosed && { releasedBy: lender })} />}
      {selected && <LoanDocuments selected={selected} />}
      <Complain lender={lender} />
      <Officer lender={lenderOf(view)} />
    </section>
  )
}

function LatestFigures({ ask }: { ask(): Promise<void> }) {
  const button = (
    <Button kind="quiet" onClick={() => void ask()}>
      {t('line.ask')}
    </Button>
  )
  // A payment that can be made tells itself why its lender could not be asked.
  const isToldThere = page.view.value.servicing.some(({ status }) => status === 'LINK_READY')
  return isToldThere ? <div class="actions">{button}</div> : <Actions of={/\/status$/}>{button}</Actions>
}

/** Whether nothing was drawn yet, so that the opening is the news. */
const isUntouched = ({ creditLine, drawdowns, receipts }: EmbedView): boolean =>
  Number(creditLine?.used) === 0 && drawdowns.length === 0 && receipts.length === 0

function titleOf(view: EmbedView) {
  if (view.screen === 'CLOSED') return 'line.closed'
  if (isPaymentPending('FORECLOSURE')) return 'line.closing'
  return isUntouched(view) ? 'line.title' : 'line.yours'
}

/** While the line is being closed, the card about that says what is possible. */
function leadOf({ screen, drawsHere, closedOn }: EmbedView, lender: string): string {
  if (screen === 'CLOSED')
    return [closedOn && t('line.closed.on', { date: day(closedOn) }), t('line.closed.lead', { lender })]
      .filter(Boolean)
      .join(' ')
  if (isPaymentPending('FORECLOSURE')) return ''
  return drawsHere ? t('line.lead.here') : t('line.lead', { lender })
}

function figuresOf({ free, used, limit }: NonNullable<EmbedView['creditLine']>): Figure[] {
  const owed: Figure = [t('loan.outstanding'), used]
  return isPaymentPending('FORECLOSURE')
    ? [owed]
    : [[t('line.free'), free, t('line.of', { limit: rupees(limit) })], owed]
}

page.line = LineScreen
