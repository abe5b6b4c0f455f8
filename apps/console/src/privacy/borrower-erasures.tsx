// The borrower's requests for erasure, with the decision of a second person.

import type { BorrowerPrivacy, Erasure } from '@lendloom/wire/console/privacy'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { assign } from '../ui/assign-signal.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { Badge, Trouble } from '../ui/components.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { useAct } from '../ui/form.tsx'
import { approvalText, stateWords } from './privacy-texts.ts'

interface Decision {
  erasure: Erasure
  approve: boolean
}

interface RequestsProps {
  data: BorrowerPrivacy
  onRequest(): void
  onDone(): void
}

export function Requests({ data: { journeys, isIdentified, erasures }, onRequest, onDone }: RequestsProps) {
  const decision = useSignal<Decision | null>(null)
  const act = useAct()
  const close = () => assign(decision, null)
  function decide({ erasure, approve }: Decision): void {
    close()
    void act.run(() => post(`/privacy/erasures/${erasure.erasureId}/decision`, { approve }), onDone)
  }
  const isOpen = erasures.some(({ state }) => state === 'WAITING' || state === 'APPROVED')
  const mayRequest = !isOpen && (isIdentified || journeys.some(({ erasedAt }) => erasedAt === null))
  return (
    <section>
      <h2>Requests for erasure</h2>
      {act.problem ? <Trouble error={act.problem} /> : null}
      {erasures.length === 0 && <p class="quiet">The borrower has not asked to erase their data.</p>}
      <ul class="requests">
        {erasures.map((erasure) => (
          <Request key={erasure.erasureId} erasure={erasure} onDecide={(next) => assign(decision, next)} />
        ))}
      </ul>
      {mayRequest && (
        <div class="acts">
          <button type="button" class="secondary" onClick={onRequest}>
            Request erasure
          </button>
        </div>
      )}
      {decision.value && (
        <ConfirmDecision
          decision={decision.value}
          journeys={journeys}
          onConfirm={() => decision.value && decide(decision.value)}
          onClose={close}
        />
      )}
    </section>
  )
}

const personName = (name: string | null): string => name ?? 'the command line'

const Request = ({ erasure, onDecide }: { erasure: Erasure; onDecide(decision: Decision): void }) => {
  const { state, reason, requestedBy, requestedAt, decidedBy, decidedAt, doneAt, mayDecide } = erasure
  const [tone, text] = stateWords[state]
  return (
    <li class="card">
      <p>
        <Badge tone={tone}>{text}</Badge>
      </p>
      <p class="as-written">{reason}</p>
      <p class="quiet small">
        Recorded by {personName(requestedBy)} on {inIndiaAs('minute', requestedAt)}.
        {decidedAt &&
          ` ${state === 'REFUSED' ? 'Refused' : 'Approved'} by ${personName(decidedBy)} on ${inIndiaAs('minute', decidedAt)}.`}
        {doneAt && ` Erased on ${inIndiaAs('minute', doneAt)}.`}
        {state === 'WAITING' && !mayDecide && ' Another grievance officer or admin decides.'}
        {state === 'APPROVED' && ' We erase the rest as soon as we may, without another approval.'}
      </p>
      {mayDecide && (
        <div class="acts">
          <button type="button" class="danger" onClick={() => onDecide({ erasure, approve: true })}>
            Approve and erase
          </button>
          <button type="button" class="secondary" onClick={() => onDecide({ erasure, approve: false })}>
            Refuse
          </button>
        </div>
      )}
    </li>
  )
}

interface ConfirmProps {
  decision: Decision
  journeys: BorrowerPrivacy['journeys']
  onConfirm(): void
  onClose(): void
}

const ConfirmDecision = ({ decision: { erasure, approve }, journeys, ...handlers }: ConfirmProps) =>
  approve ? (
    <Confirm title="Erase this borrower’s data?" button="Approve and erase" {...handlers}>
      <p>
        {approvalText(journeys, erasure.requestedAt)} <strong>This cannot be undone.</strong>
      </p>
    </Confirm>
  ) : (
    <Confirm title="Refuse the request?" button="Refuse" {...handlers}>
      <p>
        We erase nothing, and tell the borrower nothing: answer their complaint with the reason.{' '}
        <strong>This cannot be undone,</strong> but a new request can be recorded.
      </p>
    </Confirm>
  )
