// Dialogs for acts on a borrower's personal data. Each act needs a reason, except the record of a nominee.
import type { ComponentChildren } from 'preact'
import { post, postForFile } from '../api.ts'
import { ofTenant } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Reason, useTyped } from '../ui/form.tsx'
import { saveFile } from '../ui/save-file.ts'

type ReasonAct = 'erasure' | 'hold' | 'release' | 'export'
export type DataDialog = ReasonAct | 'nominee'

interface DialogProps {
  /** The path of the borrower's data in the API. */
  path: string
  borrowerId: string
  onClose(): void
  onDone(): void
}

export function DataDialogs({ dialog, ...props }: DialogProps & { dialog: DataDialog | null }) {
  if (dialog === null) return null
  return dialog === 'nominee' ? <NomineeDialog {...props} /> : <ReasonDialog key={dialog} act={dialog} {...props} />
}

interface ReasonText {
  title: string
  button: string
  about: ComponentChildren
}

const reasonTexts: Record<ReasonAct, ReasonText> = {
  hold: {
    title: 'Place a legal hold',
    button: 'Place the hold',
    about: <p>Until you release it, we erase nothing of this borrower, on request or when a period ends.</p>,
  },
  release: {
    title: 'Release the legal hold',
    button: 'Release',
    about: <p>Within a day we erase what is due: data whose period is over, and data of approved requests.</p>,
  },
  export: {
    title: 'Export the borrower’s data',
    button: 'Export',
    about: <p>A JSON file, unmasked. Hand it over encrypted, and delete it.</p>,
  },
  erasure: {
    title: 'Request erasure',
    button: 'Request erasure',
    about: (
      <>
        <p>
          Nothing is erased yet: another grievance officer or admin decides. After the approval we erase every ended
          application that we need not keep, and the others as soon as we may.
        </p>
        <dl class="effect">
          <div>
            <dt>We erase</dt>
            <dd class="quiet">
              Profile, bank account, messages, documents, notes, and what finds the borrower by PAN, mobile number or
              email.
            </dd>
          </div>
          <div>
            <dt>We keep</dt>
            <dd class="quiet">
              Statuses, times, products and amounts, which no longer lead to a person. Lenders keep what they received.
            </dd>
          </div>
        </dl>
      </>
    ),
  },
}

function ReasonDialog({ act: name, path: dataPath, borrowerId, onClose, onDone }: DialogProps & { act: ReasonAct }) {
  const { title, button, about } = reasonTexts[name]
  const { act, bind, typed } = useTyped({ reason: '' })
  async function submit(): Promise<void> {
    const path = ofTenant(`${dataPath}/${name}`)
    if (name === 'export') saveFile(await postForFile(path, typed), `borrower-${borrowerId}.json`)
    else await post(path, typed)
    onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form act={act} onSubmit={submit} button={button}>
        {about}
        {name === 'export' || name === 'release' ? (
          <Reason {...bind('reason')} />
        ) : (
          <Field
            label="Reason"
            hint="At least 10 characters. Officers and admins see it here with your name."
            {...bind('reason')}
          />
        )}
      </Form>
    </Dialog>
  )
}

function NomineeDialog({ path, onClose, onDone }: DialogProps) {
  const { act, bind, typed } = useTyped({ name: '', relation: '', contact: '' })
  async function submit(): Promise<void> {
    await post(ofTenant(`${path}/nominee`), typed)
    onDone()
  }
  return (
    <Dialog title="Record the nominee" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Record">
        <p>The nominee exercises the borrower’s rights after their death or incapacity. A new record replaces it.</p>
        <Field label="Name" {...bind('name')} />
        <Field label="Relation" hint="To the borrower, such as sister." {...bind('relation')} />
        <Field label="Contact" hint="Email address or telephone number." {...bind('contact')} />
      </Form>
    </Dialog>
  )
}
