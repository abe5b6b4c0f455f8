// Notes and tasks of a case, and the user's open tasks.

import type { Seal } from '#kit/crypto/seal.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { plusDays } from '#kit/money/calendar.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/applicant-name.ts'
import { caseLink, tableOf } from '#partner/desk/frame.ts'
import { choice, type Faulty, fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { day, when } from '#partner/desk/parts/format.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import type { notesOf, openTasksOf, TaskLine, tasksOf } from './store.ts'

export const noteContext = (noteId: string): string => `case_note ${noteId}`
export const taskContext = (taskId: string): string => `case_task ${taskId}`

interface CaseTasks {
  loanCase: { caseRef: string }
  notes: Awaited<ReturnType<typeof notesOf>>
  tasks: Awaited<ReturnType<typeof tasksOf>>
  arrears: { staff: { staffId: string; name: string; roles: Staff['roles'] }[] }
}

interface FormContext {
  who: Staff
  today: string
  faulty: Faulty | null
}

const asText = html`maxlength="1000" required`

/** Notes and tasks, with forms for people who may write them. */
export function tasksPart(seen: CaseTasks, { seal }: { seal: Seal }, { who, today, faulty }: FormContext): Html {
  const { notes, tasks, loanCase, arrears } = seen
  const action = (name: string): string => `/desk/cases/${encodeURIComponent(loanCase.caseRef)}/${name}`
  return html`<section><h2>Notes and tasks</h2>
${tasks.length > 0 && tasksTable(tasks, seal, { who, today })}
${
  notes.length > 0 &&
  html`<ul class="notes">${notes.map(
    ({ noteId, name, notedAt, textSealed }) =>
      html`<li class="card"><p class="note-text">${seal.open(textSealed, noteContext(noteId)).toString('utf8')}</p><small>${name}, ${when(notedAt)}</small></li>`,
  )}</ul>`
}
${!can(who, 'NOTE_ADDED') && notes.length + tasks.length === 0 && html`<p class="empty">No notes yet.</p>`}
${can(who, 'NOTE_ADDED') && html`<div class="columns">${noteForm(action('note'), faulty)}${taskForm(action('task'), arrears.staff, { who, today, faulty })}</div>`}</section>`
}

const noteForm = (action: string, faulty: Faulty | null): Html =>
  html`<details class="card"${faulty?.action === 'note' && html` open`}><summary>Add a note</summary><form method="post" action="${action}">
${fieldsOf('note', faulty)({ name: 'text', label: 'Note', more: asText })}<button class="secondary">Add the note</button></form></details>`

function taskForm(action: string, staff: CaseTasks['arrears']['staff'], { who, today, faulty }: FormContext): Html {
  const field = fieldsOf('task', faulty)
  const chosen = (faulty?.action === 'task' && faulty.form.get('assignee')) || who.staffId
  const doers = staff.filter((each) => can(each, 'TASK_DONE'))
  const days = html`type="date" min="${today}" required`
  return html`<details class="card"${faulty?.action === 'task' && html` open`}><summary>Add a task</summary><form method="post" action="${action}">
${field({ name: 'text', label: 'What to do', more: asText })}
<div class="fields">${choice({ name: 'assignee', label: 'Assigned to', options: doers.map(({ staffId, name }) => [staffId, name] as const), chosen })}
${field({ name: 'dueOn', label: 'Until', value: plusDays(today, 1), more: days })}</div><button class="secondary">Add the task</button></form></details>`
}

const doneForm = ({ caseRef, taskId }: TaskLine): Html =>
  html`<form method="post" action="/desk/cases/${encodeURIComponent(caseRef)}/task-done"><input type="hidden" name="task" value="${taskId}"><button class="secondary">Done</button></form>`

const textOf = (seal: Seal, { taskId, textSealed }: TaskLine): string =>
  seal.open(textSealed, taskContext(taskId)).toString('utf8')

const dueCell = ({ dueOn, doneAt }: TaskLine, today: string): Html =>
  html`${day(dueOn)}${doneAt === null && dueOn < today && html` <span class="badge bad">Late</span>`}`

const tasksTable = (tasks: TaskLine[], seal: Seal, { who, today }: Omit<FormContext, 'faulty'>): Html =>
  tableOf(
    'Tasks',
    ['Until', 'Task', 'Who', 'Added by', 'Done', ''],
    tasks.map((task) => [
      dueCell(task, today),
      textOf(seal, task),
      task.assigneeName,
      task.maker,
      task.doneAt && when(task.doneAt),
      task.doneAt === null && can(who, 'TASK_DONE') && doneForm(task),
    ]),
    { empty: 'No tasks.' },
  )

export const myTasksTable = 'My tasks'

/** The user's open tasks; empty without any. */
export const myTasks = (
  tasks: Awaited<ReturnType<typeof openTasksOf>>,
  seal: Seal,
  { today, links }: { today: string; links: Html | false },
): Html | false =>
  tasks.length > 0 &&
  html`<section><h2>${myTasksTable}</h2>${tableOf(
    myTasksTable,
    ['Until', 'Task', 'Case', 'Added by', ''],
    tasks.map((task) => [
      dueCell(task, today),
      textOf(seal, task),
      caseLink(task.caseRef, nameOfBorrower(openLead(seal, task.caseRef, task.leadSealed))),
      task.maker,
      doneForm(task),
    ]),
    { empty: '' },
  )}${links}</section>`
