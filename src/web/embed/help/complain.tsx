// The loan's complaint section: its chunk is loaded once there is a loan, and nothing waits for it.

import type { EmbedGrievance } from '#contract/hosted/embed-grievance.ts'
import { write } from '../loan/leave.tsx'
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { here } from '../page/here.ts'
import { t } from '../text.ts'

const complaints = chunkOf('complaints', () => files().complaints)

export function Complaints({ lender }: { lender: string }) {
  if (here.view.value.grievances === null) return null
  return <Fetched quiet chunk={complaints} draw={() => here.complaints && <here.complaints lender={lender} />} />
}

const isDue = ({ status, mayEscalate }: EmbedGrievance): boolean =>
  status === 'NEEDS_INFO' || status === 'RESOLVED' || mayEscalate

/** Shown at the top of a long screen: the borrower's turn is further down. */
export function ComplaintDue({ lender }: { lender: string }) {
  const due = here.view.value.grievances?.items.find(isDue)
  if (!due) return null
  const isAnswered = due.status === 'NEEDS_INFO' || due.status === 'RESOLVED'
  return (
    <div class="notice news" role="status">
      <p>{t(isAnswered ? 'loan.complaint' : 'loan.complaint.late', { lender })}</p>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          const place = document.getElementById('complaints')
          place?.scrollIntoView({ block: 'start' })
          place?.focus({ preventScroll: true })
        }}
      >
        {t('loan.complaint.see')}
      </button>
    </div>
  )
}

/** One tap to a complaint, wherever complaints of this loan go. */
export function Complain({ lender }: { lender: string }) {
  const { grievances } = here.view.value
  if (grievances?.possible || grievances?.items.length) return <Complaints lender={lender} />
  return (
    <div class="all">
      <h2>{t('loan.wrong')}</h2>
      <p class="hint">{t('loan.wrong.why', { lender })}</p>
      <div class="actions">
        <button type="button" class="plain" onClick={write('OTHER')}>
          {t('loan.complain')}
        </button>
      </div>
    </div>
  )
}
