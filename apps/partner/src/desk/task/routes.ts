// Routes to add a note or a task to a case, and to complete a task.

import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { businessDate } from '@lendloom/lending/calendar'
import { uuidv7 } from '@lendloom/seal/id'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { DecisionAct } from '#partner/desk/approval/checked-acts.ts'
import { actRoute } from '#partner/desk/cases/case-routes.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { listStaff } from '#partner/people/store.ts'
import { finishTask, insertNote, insertTask } from './store.ts'
import { noteContext, taskContext } from './task-parts.ts'

function textIn(form: URLSearchParams): Buffer {
  const text = form.get('text')?.trim() ?? ''
  if (text === '' || text.length > 1000)
    throw new Refusal('invalid', 'enter a text of up to 1,000 characters', { field: 'text' })
  return Buffer.from(text)
}

const addNote: DecisionAct = (tx, { seal }, { caseRef }, { form, staffId, at }) => {
  const noteId = uuidv7(at.getTime())
  return insertNote(tx, {
    caseRef,
    noteId,
    textSealed: seal.bytes(textIn(form), noteContext(noteId)),
    staffId,
    notedAt: at,
  })
}

const addTask: DecisionAct = async (tx, { seal }, { caseRef }, { form, staffId, at }) => {
  const text = textIn(form)
  const dueOn = form.get('dueOn') ?? ''
  if (!fits(BusinessDate, dueOn) || dueOn < businessDate(at))
    throw new Refusal('invalid', 'choose today or a later day', { field: 'dueOn' })
  const assignee = (await listStaff(tx)).find((each) => each.staffId === form.get('assignee'))
  if (!assignee || !can(assignee, 'TASK_DONE'))
    throw new Refusal('invalid', 'this person cannot do tasks', { field: 'assignee' })
  const taskId = uuidv7(at.getTime())
  const textSealed = seal.bytes(text, taskContext(taskId))
  await insertTask(tx, { caseRef, taskId, textSealed, assignee: assignee.staffId, dueOn, madeBy: staffId, madeAt: at })
}

const completeTask: DecisionAct = async (tx, _ctx, { caseRef }, { form, staffId, at }) => {
  const taskId = form.get('task') ?? ''
  if (!isUuid(taskId) || !(await finishTask(tx, caseRef, taskId, { staffId, at })))
    throw new Refusal('wrong-state', 'this task does not exist or is already done')
}

export const taskRoutes = [
  actRoute('note', 'Add a note', 'NOTE_ADDED', addNote),
  actRoute('task', 'Add a task', 'TASK_MADE', addTask),
  actRoute('task-done', 'Complete a task', 'TASK_DONE', completeTask),
]
