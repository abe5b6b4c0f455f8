// Writes down a complaint for somebody on the telephone.
import { useSignal } from '@preact/signals'
import { complaintCategories } from '#contract/console/complaint-lists.ts'
import type { ComplaintDetail } from '#contract/console/complaints.ts'
import { languageFacts, languages } from '#contract/language.ts'
import { post } from '../api.ts'
import { go, to } from '../router.ts'
import { isOfPlatform, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm, Words } from '../ui/form.tsx'
import { categoryNames } from './words.ts'

const fields = ['journeyId', 'category', 'text', 'language', 'name', 'email', 'mobile'] as const
type Typed = Record<(typeof fields)[number], string>
const empty: Typed = { journeyId: '', category: 'CHARGES', text: '', language: 'en', name: '', email: '', mobile: '' }

/** Of one journey when it is opened on that one's page. */
export function OpenDialog({ journeyId = '', onClose }: { journeyId?: string; onClose(): void }) {
  const typed = useSignal<Typed>({ ...empty, journeyId })
  const opened = useSignal<ComplaintDetail | null>(null)
  const act = useForm(fields)
  const set = (name: keyof Typed) => (value: string) => assign(typed, { ...typed.value, [name]: value })
  async function submit(): Promise<void> {
    const given = Object.fromEntries(Object.entries(typed.value).filter(([, value]) => value.trim() !== ''))
    const body = { ...given, ...(tenantId.value && { tenantId: tenantId.value }) }
    opened.value = await post<ComplaintDetail>('/complaints', body)
  }
  if (opened.value) return <Opened complaint={opened.value} onClose={onClose} />
  return (
    <Dialog title="Write down a complaint" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Open the complaint">
        <Matter typed={typed.value} faults={act.faults} set={set} />
        <Complainant typed={typed.value} faults={act.faults} set={set} />
      </Form>
    </Dialog>
  )
}

interface PartProps {
  typed: Typed
  faults: Record<string, string>
  set(name: keyof Typed): (value: string) => void
}

const Matter = ({ typed, faults, set }: PartProps) => (
  <>
    <Field
      label="Journey"
      hint={
        isOfPlatform.value
          ? 'Its id; leave it empty when nobody knows it yet.'
          : 'Its id: press / to find it by the mobile number.'
      }
      value={typed.journeyId}
      fault={faults.journeyId}
      onValue={set('journeyId')}
    />
    <Choice
      label="What it is about"
      value={typed.category}
      options={complaintCategories.map((each) => [each, categoryNames[each]] as const)}
      fault={faults.category}
      onValue={set('category')}
    />
    <Words
      label="What the borrower says"
      hint="With dates and amounts, in the borrower’s words. Never an Aadhaar number."
      value={typed.text}
      fault={faults.text}
      onValue={set('text')}
    />
  </>
)

/** Where the journey says who complains, only what is different is asked for. */
function Complainant({ typed, faults, set }: PartProps) {
  const isNobodyKnown = isOfPlatform.value && typed.journeyId === ''
  return (
    <>
      <Choice
        label="Language of the answers"
        value={typed.language}
        options={languages.map((each) => [each, languageFacts[each].english])}
        onValue={set('language')}
      />
      {isNobodyKnown && <Field label="Name" value={typed.name} fault={faults.name} onValue={set('name')} />}
      <Field
        label="E-mail"
        hint="Where the answers go; without one, as the profile says."
        type="email"
        value={typed.email}
        fault={faults.email}
        onValue={set('email')}
      />
      {isNobodyKnown && <Field label="Mobile" value={typed.mobile} fault={faults.mobile} onValue={set('mobile')} />}
    </>
  )
}

const Opened = ({
  complaint: { number, complaintId, email },
  onClose,
}: {
  complaint: ComplaintDetail
  onClose(): void
}) => (
  <Dialog title="Tell the borrower the number" onClose={onClose}>
    <p class="told">{number}</p>
    <p class="quiet">{email ? `It was sent to ${email} too.` : 'No e-mail address is known, so it was not sent.'}</p>
    <div class="acts">
      <button type="button" class="primary" onClick={() => go(to('grievances', complaintId))}>
        Go to the complaint
      </button>
    </div>
  </Dialog>
)
