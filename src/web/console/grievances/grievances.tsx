// The grievances area: queue, complaint pages, monthly report and officers.
import type { AreaProps } from '../area.ts'
import { to } from '../router.ts'
import { isOfPlatform } from '../session.ts'
import { PageHead } from '../ui/parts.tsx'
import { ComplaintPage } from './complaint.tsx'
import { Officers } from './officers.tsx'
import { Queue } from './queue.tsx'
import { Report } from './report.tsx'

export function Grievances({ rest: [part] }: AreaProps) {
  if (part !== undefined && part !== 'report' && part !== 'officers')
    return <ComplaintPage key={part} complaintId={part} />
  return (
    <>
      <PageHead
        title="Grievances"
        about="All borrower complaints, from the page, by email or by telephone. Overdue complaints come first."
      />
      <nav class="tabs" aria-label="Parts of grievances">
        <Tab part={undefined} now={part} name="Queue" />
        <Tab part="report" now={part} name="Monthly report" />
        {isOfPlatform.value && <Tab part="officers" now={part} name="Officers" />}
      </nav>
      {part === undefined && <Queue />}
      {part === 'report' && <Report />}
      {part === 'officers' && <Officers />}
    </>
  )
}

const Tab = ({ part, now, name }: { part: string | undefined; now: string | undefined; name: string }) => (
  <a href={part ? to('grievances', part) : to('grievances')} aria-current={part === now ? 'page' : undefined}>
    {name}
  </a>
)
