// Tables case_note and case_task.

import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'

interface Note {
  caseRef: string
  noteId: string
  textSealed: Buffer
  staffId: string
  notedAt: Date
}

export async function insertNote(tx: Tx, note: Note): Promise<void> {
  await tx`insert into case_note ${tx({ ...note })}`
}

export const notesOf = (db: Run, caseRef: string) => db<Note & { name: string }>`
  select n.case_ref, n.note_id, n.text_sealed, n.staff_id, n.noted_at, s.name from case_note n join staff s using (staff_id)
  where n.case_ref = ${caseRef} order by n.noted_at desc, n.note_id desc`

interface Task {
  caseRef: string
  taskId: string
  textSealed: Buffer
  assignee: string
  dueOn: string
  madeBy: string
  madeAt: Date
}

export async function insertTask(tx: Tx, task: Task): Promise<void> {
  await tx`insert into case_task ${tx({ ...task })}`
}

export async function finishTask(tx: Tx, caseRef: string, taskId: string, actor: { staffId: string; at: Date }) {
  const updated = await tx`
    update case_task set done_by = ${actor.staffId}, done_at = ${actor.at}
    where case_ref = ${caseRef} and task_id = ${taskId} and done_at is null returning 1`
  return updated.length > 0
}

export interface TaskLine extends Task {
  assigneeName: string
  maker: string
  doneAt: Date | null
}

export const tasksOf = (db: Run, caseRef: string) => db<TaskLine>`
  select t.case_ref, t.task_id, t.text_sealed, t.assignee, t.due_on, t.made_by, t.made_at, t.done_at, a.name as assignee_name, m.name as maker
  from case_task t join staff a on a.staff_id = t.assignee join staff m on m.staff_id = t.made_by
  where t.case_ref = ${caseRef} order by t.done_at is not null, t.due_on, t.task_id`

/** How many open tasks each person has; without those who have none. */
export const countOpenTasks = (db: Run) => db<{ assignee: string; count: number }>`
  select assignee, count(*)::int as count from case_task where done_at is null group by assignee`

export const tasksInOrder = ascending([sql`t.due_on`, 'date'], [sql`t.task_id`, 'uuid'])

export const openTasksOf = (db: Run, staffId: string, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(tasksInOrder, window)
  return db<TaskLine & KeyedRow & { leadSealed: Buffer }>`
    select t.case_ref, t.task_id, t.text_sealed, t.assignee, t.due_on, t.made_by, t.made_at, t.done_at, a.name as assignee_name,
      m.name as maker, d.lead_sealed, ${key}
    from case_task t join staff a on a.staff_id = t.assignee join staff m on m.staff_id = t.made_by join case_lead d on d.case_ref = t.case_ref
    where t.assignee = ${staffId} and t.done_at is null and ${beyond} ${order}`
}
