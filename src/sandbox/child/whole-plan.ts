import { readFile } from 'node:fs/promises';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { planMissing } from '../../plan/plan-outline.ts';
import type { LentPlan } from './render-operations.ts';

/** One for each preset of the export that a child is for. */
const MAX_CACHED = 3;

const cached = new Map<string, Promise<RenderPlan>>();

/** A plan as it was sent, or as it was lent; read once, however many requests name it. */
export async function wholePlan(plan: RenderPlan | LentPlan): Promise<RenderPlan> {
  if (!('file' in plan)) return plan;
  const read = cached.get(plan.file) ?? readPlan(plan.file);
  cached.delete(plan.file);
  cached.set(plan.file, read);
  if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  return read;
}

async function readPlan(file: string): Promise<RenderPlan> {
  const json = await readFile(file, 'utf8');
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw planMissing(cause);
  }
}
