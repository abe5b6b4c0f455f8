// The loan's complaint section. Its chunk is fetched in the background once there is a loan.

import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import { openComplaintForm, openRequests } from '../loan/cooling-off-exit.tsx'
import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'

const complaints = chunkOf('complaints', 'complaints')

export function Complaints({ lender }: { lender: string }) {
  if (page.view.value.grievances === null) return null
  return <Fetched optional chunk={complaints} render={() => page.complaints && <page.complaints lender={lender} />} />
}

const needsBorrower = ({ status, mayEscalate }: EmbedGrievance): boolean =>
  status === 'NEEDS_INFO' || status === 'RESOLVED' || mayEscalate

function dueTextOf({ status }: EmbedGrievance) {
  if (status === 'NEEDS_INFO') return 'loan.complaint.question'
  return status === 'RESOLVED' ? 'loan.complaint' : 'loan.complaint.late'
}

/** Notice at the top of a long screen that a complaint or request, further down or in help, needs the borrower. */
export function ComplaintDue({ lender }: { lender: string }) {
  const { grievances, complaintAnswered, requested } = page.view.value
  const complaint = grievances?.items.find(needsBorrower)
  const hasAnsweredRequest = requested.some(({ answered }) => answered)
  if (complaint)
    return (
      <Notice
        text={t(dueTextOf(complaint), { lender })}
        link={t('loan.complaint.see')}
        open={() => document.getElementById('complaints')?.focus()}
      />
    )
  return (
    <>
      {complaintAnswered && (
        <Notice text={t('loan.complaint.help')} link={t('loan.complaint.see')} open={openRequests} />
      )}
      {hasAnsweredRequest && <Notice text={t('leave.answered')} link={t('leave.see')} open={openRequests} />}
    </>
  )
}

const Notice = ({ text, link, open }: { text: string; link: string; open(): void }) => (
  <div class="notice news" role="status">
    <p>{text}</p>
    <button type="button" class="quiet" onClick={open}>
      {link}
    </button>
  </div>
)

/** Complaints in the journey if the lender supports them there; otherwise a button that opens the help form. */
export function Complain({ lender }: { lender: string }) {
  const { grievances, complaintOpen } = page.view.value
  if (grievances?.possible || grievances?.items.length) return <Complaints lender={lender} />
  return (
    <div class="all">
      <h2>{t('loan.wrong')}</h2>
      <p class="hint">{t(complaintOpen ? 'loan.complaint.open' : 'loan.wrong.why', { lender })}</p>
      <div class="actions">
        {complaintOpen && (
          <button type="button" class="plain" onClick={openRequests}>
            {t('loan.complaint.see')}
          </button>
        )}
        <button type="button" class="plain" onClick={openComplaintForm('OTHER')}>
          {t('loan.complain')}
        </button>
      </div>
    </div>
  )
}
