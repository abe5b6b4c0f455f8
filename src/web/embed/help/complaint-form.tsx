// The form of a complaint: what it is about, and what happened.
import { useSignal } from '@preact/signals'
import type { GrievanceTopic } from '#contract/hosted/embed-grievance.ts'
import { ChoiceField, describedBy, idOf, Labelled } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import { here } from '../page/here.ts'
import { type Wrong, wordsFor } from '../page/wrong.ts'
import { t } from '../text.ts'

/** In the order of the form. */
const topics: readonly GrievanceTopic[] = ['CHARGES', 'REPAYMENT', 'MONEY', 'DOCUMENTS', 'CONDUCT', 'OTHER']

/** Sends what the borrower does about complaints. */
export const post = (path: string, body: object = {}) =>
  here.session.act({ method: 'POST', path: `/grievances${path}`, body })

export function Raise({ lender, done }: { lender: string; done(): void }) {
  const topic = useSignal('')
  const text = useSignal('')
  const wrong = useSignal<Wrong>({})
  const attempt = useSignal(0)
  async function send(): Promise<void> {
    const missing = {
      ...(topic.value === '' && { topic: '' }),
      ...(text.value.trim().length < 10 && { complaint: '' }),
    }
    const refused =
      Object.keys(missing).length > 0 ? null : await post('', { topic: topic.value, text: text.value.trim() })
    if (refused === null && Object.keys(missing).length === 0) return done()
    if (refused?.length === 0) return
    wrong.value = refused === null ? missing : { complaint: '' }
    attempt.value += 1
  }
  return (
    <Form wrong={wrong.value} attempt={attempt.value} onSubmit={() => void send()}>
      <ChoiceField
        name="topic"
        value={topic.value}
        wrong={wordsFor(wrong.value, 'topic')}
        options={topics}
        onValue={(value) => {
          topic.value = value
          wrong.value = {}
        }}
      />
      <TextArea
        name="complaint"
        value={text.value}
        wrong={wordsFor(wrong.value, 'complaint')}
        onValue={(value) => {
          text.value = value
          wrong.value = {}
        }}
      />
      <Actions>
        <Button submit>{t('complaint.send', { lender })}</Button>
        <Button kind="quiet" onClick={done}>
          {t('complaint.cancel')}
        </Button>
      </Actions>
    </Form>
  )
}

interface TextAreaProps {
  name: string
  value: string
  wrong: string | undefined
  onValue(value: string): void
}

/** A field of several lines; its texts are found by `name`. */
function TextArea({ name, value, wrong, onValue }: TextAreaProps) {
  return (
    <Labelled name={name} wrong={wrong}>
      <textarea
        id={idOf(name)}
        rows={5}
        maxLength={2000}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy(name, wrong)}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  )
}
