// The card of a credit line: what can be drawn, what is owed, and the drawdowns.

import type { ConsoleLine, ConsoleLoan, ConsoleOffer } from '@lendloom/wire/console/journeys'
import { rupees } from '../ui/code-labels.ts'
import { Badge, Day, Id, Time } from '../ui/components.tsx'
import { drawdownWords } from './credit-line-texts.ts'
import { Fact } from './journey-fact.tsx'
import { rateText } from './offer-texts.ts'

interface LineCardProps {
  line: ConsoleLine
  /** Null before the first drawdown. */
  loan: ConsoleLoan | null
  offer: ConsoleOffer | undefined
}

export const LineCard = ({ line, loan, offer }: LineCardProps) => (
  <section class="card">
    <h2>Credit line</h2>
    <dl class="facts">
      <Fact
        name="State"
        value={<Badge tone={line.closedAt ? 'plain' : 'good'}>{line.closedAt ? 'Closed' : 'Open'}</Badge>}
      />
      <Fact name="Limit" value={rupees(line.limit)} />
      <Fact name="Drawn" value={!line.closedAt && rupees(line.drawn)} />
      <Fact name="Available" value={!line.closedAt && rupees(line.available)} />
      <Fact name="Rate" value={offer && rateText(offer)} />
      <Fact name="Overdue" value={loan?.overdue && rupees(loan.overdue)} />
      <Fact
        name="Next due"
        value={
          loan?.nextDue && (
            <>
              {rupees(loan.nextDue.amount)} on <Day on={loan.nextDue.dueOn} />
            </>
          )
        }
      />
      <Fact name="Number" value={loan?.number && <Id value={loan.number} />} />
      <Fact name="Opened" value={<Time at={line.openedAt} exact />} />
      <Fact name="Closed" value={line.closedAt && <Time at={line.closedAt} exact />} />
    </dl>
    {line.drawdowns.length > 0 && <Drawdowns drawdowns={line.drawdowns} />}
  </section>
)

const Drawdowns = ({ drawdowns }: Pick<ConsoleLine, 'drawdowns'>) => (
  <>
    <h3>Drawdowns</h3>
    <ul class="offers">
      {drawdowns.map(({ drawdownId, amount, status, reason, changedAt }) => {
        const { tone, word, reason: why } = drawdownWords(status, reason)
        return (
          <li key={drawdownId}>
            <span>
              <strong>{rupees(amount)}</strong> <Badge tone={tone}>{word}</Badge>
            </span>
            <span class="quiet">
              <Time at={changedAt} exact />
              {why && ` · ${why}`}
            </span>
          </li>
        )
      })}
    </ul>
  </>
)
