import { ServiceFixture } from '../../service/service-fixture.ts';
import { formsSuite } from './forms-suite.ts';

formsSuite(() => ServiceFixture.start(), { damaged: Number(process.env.HOSTILE_FORMS ?? 400), cutEvery: 1 });
