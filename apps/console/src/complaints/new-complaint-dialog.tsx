// Dialog to record a complaint that a borrower made by telephone.

import { languageFacts, languages } from '@lendloom/lending/language'
import { complaintCategories } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintDetail } from '@lendloom/wire/console/complaints'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { go, to } from '../router.ts'
import { isOfPlatform, tenantId } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, TextArea, type TypedFields, useTyped } from '../ui/form.tsx'
import { categoryNames } from './complaint-texts.ts'

const empty = { journeyId: '', category: 'CHARGES', text: '', language: 'en', name: '', email: '', mobile: '' }

/** `journeyId` is prefilled on a journey's page. */
export function NewComplaintDialog({ journeyId = '', onClose }: { journeyId?: string; onClose(): void }) {
  const form = useTyped({ ...empty, journeyId })
  const newComplaint = useSignal<ComplaintDetail | null>(null)
  async function submit(): Promise<void> {
    const filled = Object.fromEntries(Object.entries(form.typed).filter(([, value]) => value.trim() !== ''))
    const body = { ...filled, ...(tenantId.value && { tenantId: tenantId.value }) }
    newComplaint.value = await post<ComplaintDetail>('/complaints', body)
  }
  if (newComplaint.value) return <NumberNotice complaint={newComplaint.value} onClose={onClose} />
  return (
    <Dialog title="Record a complaint" onClose={onClose}>
      <Form act={form.act} onSubmit={submit} button="Record the complaint">
        <ComplaintFields {...form} />
        <Complainant {...form} />
      </Form>
    </Dialog>
  )
}

const ComplaintFields = ({ bind }: TypedFields<typeof empty>) => (
  <>
    <Field
      label="Journey"
      hint={
        isOfPlatform.value
          ? 'The journey’s id. Leave it empty if you do not know it yet.'
          : 'The journey’s id. Press / to find it by the mobile number.'
      }
      {...bind('journeyId')}
    />
    <Choice
      label="What it is about"
      options={complaintCategories.map((each) => [each, categoryNames[each]] as const)}
      {...bind('category')}
    />
    <TextArea
      label="What the borrower says"
      hint="Include dates and amounts, in the borrower’s words. Never enter an Aadhaar number."
      {...bind('text')}
    />
  </>
)

/** Name and mobile are requested only without a journey, which has them. */
function Complainant({ typed, bind }: TypedFields<typeof empty>) {
  const isUnmatched = isOfPlatform.value && typed.journeyId === ''
  return (
    <>
      <Choice
        label="Reply language"
        options={languages.map((each) => [each, languageFacts[each].english])}
        {...bind('language')}
      />
      {isUnmatched && <Field label="Name" {...bind('name')} />}
      <Field
        label="Email"
        hint="We send replies here. If empty, we use the address in the profile."
        type="email"
        {...bind('email')}
      />
      {isUnmatched && <Field label="Mobile" {...bind('mobile')} />}
    </>
  )
}

const NumberNotice = ({
  complaint: { number, complaintId, email },
  onClose,
}: {
  complaint: ComplaintDetail
  onClose(): void
}) => (
  <Dialog title="Tell the borrower this number" onClose={onClose}>
    <p class="told">{number}</p>
    <p class="quiet">{email ? `We also sent it to ${email}.` : 'We have no email address, so we did not send it.'}</p>
    <div class="acts">
      <button type="button" class="primary" onClick={() => go(to('complaints', complaintId))}>
        Go to the complaint
      </button>
    </div>
  </Dialog>
)
