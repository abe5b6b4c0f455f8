// Incoming mail that could not be processed: the reason, a dialog to read it, and a retry.

import type { HandleAgainReply, RevealedMail, SetAsideMail } from '@lendloom/wire/console/mail'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { assign } from '../ui/assign-signal.ts'
import { SmallButton, Time } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, Reason, useTyped } from '../ui/form.tsx'
import { sizeText } from '../ui/format-figures.ts'
import { type Column, Table, useList } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { mayAct } from './access.ts'

interface MailDialog {
  what: 'read' | 'handle'
  mail: SetAsideMail
}

export function SetAside() {
  const list = useList<SetAsideMail>('/mail/set-aside', {})
  const dialog = useSignal<MailDialog | null>(null)
  const reply = useSignal<HandleAgainReply | null>(null)
  useRefresh(list.refresh)
  const onClose = () => assign(dialog, null)
  const onHandled = (next: HandleAgainReply) => {
    reply.value = next
    onClose()
    list.reload()
  }
  const openDialog = dialog.value
  if (!list.items?.length && !list.error && !reply.value) return null
  return (
    <section>
      <h2>Set aside</h2>
      {reply.value && <HandledNotice reply={reply.value} />}
      <Table
        label="Mail that was set aside"
        list={list}
        keyOf={({ mailId }) => mailId}
        columns={columnsFor((what, mail) => assign(dialog, { what, mail }))}
        empty={null}
      />
      {openDialog?.what === 'read' && <ReadDialog mail={openDialog.mail} onClose={onClose} />}
      {openDialog?.what === 'handle' && (
        <HandleAgainDialog mail={openDialog.mail} onClose={onClose} onDone={onHandled} />
      )}
    </section>
  )
}

const HandledNotice = ({ reply: { complaintId } }: { reply: HandleAgainReply }) => (
  <p class="notice good" role="status">
    We are processing the mail.{' '}
    {complaintId === null ? (
      <>
        Find it in the <a href={to('complaints')}>queue of complaints</a>.
      </>
    ) : (
      <>
        We add it to <a href={to('complaints', complaintId)}>the complaint</a>.
      </>
    )}{' '}
    If processing fails again, the mail returns here with the reason.
  </p>
)

const columnsFor = (onAsk: (what: MailDialog['what'], mail: SetAsideMail) => void): Column<SetAsideMail>[] => [
  {
    head: 'Mail',
    cell: ({ subject, from, sizeBytes, why }) => (
      <>
        <strong>{subject === null ? 'Subject not available: the mail is too large' : subject || 'No subject'}</strong>
        <span class="quiet small block">
          from {from ?? 'a mail server'} · {sizeText(sizeBytes)}
        </span>
        <span class="small block server-said narrow">{why}</span>
      </>
    ),
  },
  { head: 'Why it was set aside', isMinor: true, cell: ({ why }) => <span class="server-said">{why}</span> },
  { head: 'Received', isNumber: true, isMinor: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  ...(mayAct()
    ? [
        {
          head: '',
          isNumber: true,
          cell: (mail: SetAsideMail) => (
            <span class="row-acts">
              <SmallButton onClick={() => onAsk('read', mail)}>Read</SmallButton>
              <SmallButton onClick={() => onAsk('handle', mail)}>Process again</SmallButton>
            </span>
          ),
        },
      ]
    : []),
]

interface MailProps {
  mail: SetAsideMail
  onClose(): void
}

function HandleAgainDialog({
  mail: { mailId, why },
  onClose,
  onDone,
}: MailProps & { onDone(reply: HandleAgainReply): void }) {
  const { act, bind, typed } = useTyped({ complaint: '' })
  const submit = async () =>
    onDone(
      await post<HandleAgainReply>(`/mail/set-aside/${mailId}/handle-again`, {
        ...(typed.complaint.trim() && typed),
      }),
    )
  return (
    <Dialog title="Process this mail again" onClose={onClose}>
      <p class="quiet why-aside">Reason it was set aside: {why}</p>
      <Form act={act} onSubmit={submit} button="Process again">
        <Field
          label="Complaint"
          hint="The number of the complaint it belongs to, such as GR-2611-2K7QX. If you leave this empty, we use the recipient’s address and the email it replies to. If neither matches, the mail opens a new complaint."
          autoFocus
          {...bind('complaint')}
        />
      </Form>
    </Dialog>
  )
}

function ReadDialog({ mail: { mailId }, onClose }: MailProps) {
  const { act, bind, typed } = useTyped({ reason: '' })
  const revealed = useSignal<RevealedMail | null>(null)
  async function submit(): Promise<void> {
    revealed.value = await post<RevealedMail>(`/mail/set-aside/${mailId}/read`, typed)
  }
  return (
    <Dialog title="Read this mail" onClose={onClose} wide={revealed.value !== null}>
      {revealed.value ? (
        <MailContent mail={revealed.value} />
      ) : (
        <Form act={act} onSubmit={submit} button="Read">
          <Reason autoFocus {...bind('reason')} />
        </Form>
      )}
    </Dialog>
  )
}

const MailContent = ({ mail: { from, fromName, subject, text, files } }: { mail: RevealedMail }) => (
  <>
    <dl class="facts">
      <div>
        <dt>From</dt>
        <dd>{[fromName, from].filter(Boolean).join(', ') || 'No sender'}</dd>
      </div>
      <div>
        <dt>Subject</dt>
        <dd>{subject || 'None'}</dd>
      </div>
      {files.length > 0 && (
        <div>
          <dt>Files</dt>
          <dd>{files.map(({ name, size }) => `${name} (${sizeText(size)})`).join(', ')}</dd>
        </div>
      )}
    </dl>
    <p class="mail-text">{text || 'No text.'}</p>
  </>
)
