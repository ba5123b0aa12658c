import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with two uploads and an empty work folder, open to every user; removed with `using`. */
export class ScratchFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'tiercut-test-'));
  readonly workDir = join(this.path, 'work');
  readonly upload = join(this.path, 'upload-a');
  readonly sibling = join(this.path, 'upload-b');

  constructor() {
    chmodSync(this.path, 0o777);
    mkdirSync(this.workDir);
    writeFileSync(this.upload, 'mine');
    writeFileSync(this.sibling, 'somebody else');
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
