// The form of a complaint to the lender: the topic, and what happened.

import type { GrievanceTopic } from '@lendloom/wire/hosted/embed-grievance'
import { useSignal } from '@preact/signals'
import { ChoiceField, describedBy, idOf, Labelled } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { errorOf, type FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'

const topics: readonly GrievanceTopic[] = ['CHARGES', 'REPAYMENT', 'MONEY', 'DOCUMENTS', 'CONDUCT', 'OTHER']

/** The acts whose failure the complaints tell themselves. */
export const complaintPath = /^\/grievances/

/** Sends the borrower's action on a complaint. */
export const postGrievance = (path: string, body: object = {}) =>
  page.session.act({ method: 'POST', path: `/grievances${path}`, body })

/** The errors of the form before it is sent; an empty text stands for the field's usual error. */
function missingIn(topic: string, text: string): FieldErrors {
  return {
    ...(topic === '' && { topic: '' }),
    ...(text.length < 10 && { complaint: text === '' ? t('wrong.complaint.empty') : '' }),
  }
}

export function RaiseComplaint({ lender, onDone }: { lender: string; onDone(): void }) {
  const topic = useSignal('')
  const text = useSignal('')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const show = (wrong: FieldErrors): void => {
    errors.value = wrong
    attempt.value += 1
  }
  async function send(): Promise<void> {
    const missing = missingIn(topic.value, text.value.trim())
    if (Object.keys(missing).length > 0) return show(missing)
    const faults = await postGrievance('', { topic: topic.value, text: text.value.trim() })
    if (faults === null) return onDone()
    // Without a field at fault, the page itself has said what went wrong, such as a lost connection.
    if (faults.length > 0) show({ complaint: '' })
  }
  return (
    <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
      <ChoiceField
        name="topic"
        value={topic.value}
        error={errorOf(errors.value, 'topic')}
        options={topics}
        onValue={(value) => {
          topic.value = value
          errors.value = {}
        }}
      />
      <TextArea
        name="complaint"
        value={text.value}
        error={errorOf(errors.value, 'complaint')}
        onValue={(value) => {
          text.value = value
          errors.value = {}
        }}
      />
      <Actions of={complaintPath}>
        <Button submit>{t('complaint.send', { lender })}</Button>
        <Button kind="quiet" onClick={onDone}>
          {t('complaint.cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

interface TextAreaProps {
  name: string
  value: string
  error: string | undefined
  onValue(value: string): void
}

/** A field of several lines; `name` selects its texts. */
function TextArea({ name, value, error, onValue }: TextAreaProps) {
  return (
    <Labelled name={name} error={error}>
      <textarea
        id={idOf(name)}
        rows={5}
        maxLength={2000}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(name, error)}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  )
}
