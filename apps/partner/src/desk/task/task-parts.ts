// Renders the notes and tasks of a case, and the user's open tasks on the overview.

import { type Html, html } from '@lendloom/http/markup'
import { plusDays } from '@lendloom/lending/calendar'
import type { Seal } from '@lendloom/seal/seal'
import { caseAddress, type Worklist } from '#partner/desk/arrears/worklist.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { caseLink } from '#partner/desk/frame.ts'
import { fieldRenderer, type RefusedForm, selectField } from '#partner/desk/parts/form-parts.ts'
import { formatDay, formatTime, toneBadge } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import type { notesOf, openTasksOf, TaskLine, tasksOf } from './store.ts'

/** The context under which the text of a note is sealed. */
export const noteContext = (noteId: string): string => `case_note ${noteId}`
/** The context under which the text of a task is sealed. */
export const taskContext = (taskId: string): string => `case_task ${taskId}`

interface CaseTasks {
  loanCase: { caseRef: string }
  notes: Awaited<ReturnType<typeof notesOf>>
  tasks: Awaited<ReturnType<typeof tasksOf>>
  worklist?: Worklist | undefined
}

interface TaskReader {
  who: Staff
  today: string
}

interface FormContext extends TaskReader {
  refusedForm: RefusedForm | null
}

const textAttributes = html`maxlength="1000" required`

/** The section of a case page; false without notes and tasks. */
export function tasksPart(view: CaseTasks, { seal }: { seal: Seal }, { who, today }: TaskReader): Html | false {
  const { notes, tasks } = view
  if (notes.length + tasks.length === 0) return false
  return html`<section><h2>Notes and tasks</h2>
${tasks.length > 0 && tasksTable(tasks, seal, { who, today, place: view.worklist?.place })}
${
  notes.length > 0 &&
  html`<ul class="notes">${notes.map(
    ({ noteId, name, notedAt, textSealed }) =>
      html`<li class="card"><p class="note-text">${seal.open(textSealed, noteContext(noteId)).toString('utf8')}</p><small>${name}, ${formatTime(notedAt)}</small></li>`,
  )}</ul>`
}</section>`
}

export const noteForm = (action: string, refusedForm: RefusedForm | null): Html =>
  html`<form method="post" action="${action}">
${fieldRenderer('note', refusedForm)({ name: 'text', label: 'Note', attributes: textAttributes })}<button class="primary">Add note</button></form>`

export function taskForm(
  action: string,
  staff: { staffId: string; name: string; roles: Staff['roles'] }[],
  { who, today, refusedForm }: FormContext,
): Html {
  const field = fieldRenderer('task', refusedForm)
  const chosen = (refusedForm?.action === 'task' && refusedForm.form.get('assignee')) || who.staffId
  const assignees = staff.filter((each) => can(each, 'TASK_DONE'))
  return html`<form method="post" action="${action}">
${field({ name: 'text', label: 'What to do', attributes: textAttributes })}
<div class="fields">${selectField({ name: 'assignee', label: 'Assigned to', options: assignees.map(({ staffId, name }) => [staffId, name] as const), chosen })}
${field({ name: 'dueOn', label: 'Due', value: plusDays(today, 1), limits: { min: today } })}</div><button class="primary">Add task</button></form>`
}

const completeForm = ({ caseRef, taskId }: TaskLine, place?: string): Html =>
  html`<form method="post" action="${caseAddress(caseRef, place, '/task-done')}"><input type="hidden" name="task" value="${taskId}"><button class="secondary">Done</button></form>`

const textOf = (seal: Seal, { taskId, textSealed }: TaskLine): string =>
  seal.open(textSealed, taskContext(taskId)).toString('utf8')

const dueCell = ({ dueOn, doneAt }: TaskLine, today: string): Html =>
  html`${formatDay(dueOn)}${doneAt === null && dueOn < today && html` ${toneBadge('bad', 'Late')}`}`

interface TaskTableContext extends TaskReader {
  place: string | undefined
}

const tasksTable = (tasks: TaskLine[], seal: Seal, { who, today, place }: TaskTableContext): Html =>
  tableOf(
    'Tasks',
    ['Due', 'Task', 'Assigned to', 'Added by', 'Done', ''],
    tasks.map((task) => [
      dueCell(task, today),
      textOf(seal, task),
      task.assigneeName,
      task.maker,
      task.doneAt && formatTime(task.doneAt),
      task.doneAt === null && can(who, 'TASK_DONE') && completeForm(task, place),
    ]),
    { empty: 'No tasks.' },
  )

/** The label of the table, to which its paging refers. */
export const myTasksTable = 'My tasks'

/** The section of the start page with the user's open tasks. */
export const myTasks = (
  tasks: Awaited<ReturnType<typeof openTasksOf>>,
  seal: Seal,
  { today, links }: { today: string; links: Html | false },
): Html | false =>
  tasks.length > 0 &&
  html`<section><h2>${myTasksTable}</h2>${tableOf(
    myTasksTable,
    ['Due', 'Task', 'Case', 'Added by', ''],
    tasks.map((task) => [
      dueCell(task, today),
      textOf(seal, task),
      caseLink(task.caseRef, nameOfBorrower(openLead(seal, task.caseRef, task.leadSealed))),
      task.maker,
      completeForm(task),
    ]),
    { empty: '' },
  )}${links}</section>`
