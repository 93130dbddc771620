"""Fit what notebook 17 shows of its patients.

    python -m kernelkit.course.explorers.data.fit_tumours [fits] [terms] [penalties] [alike]

fits : logistic regression on every choice of feature groups; weights and Dice go to ``tumours.npz``, and
terms : terms chosen one by one, their losses and Dice, to ``terms.json``;
penalties : which of all terms the penalty L1 keeps, and the losses under L1 and L2, to ``penalties.json``;
alike : how much of each healthy structure is taken for tumour, to ``alike.json``.
It takes some minutes.
"""

import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from kernelkit import Monomials
from kernelkit.course.explorers.data import hospital
from kernelkit.course.explorers.data.hospital import (
    ALIKE,
    FITS,
    LEARNED,
    OTHERS,
    PENALTIES,
    PIXELS,
    POOLS,
    STEPS,
    TERMS,
)
from kernelkit.images.phantom import LOOK_ALIKES, patient
from kernelkit.images.segmentation import FARTHEST, Segmenter, Template, dice, logistic_weights, pixel_features
from kernelkit.models.equations import solve_primal
from kernelkit.study.terms import columns, forward, lasso

PATIENTS = (*LEARNED, *OTHERS)


def scaled(count):
    """Mean and spread of all features on the pixels learned from, those pixels scaled, and y."""
    X, y = hospital.sample(LEARNED[:count], PIXELS[count])
    mean = X.mean(axis=0)
    spread = X.std(axis=0)
    return mean, spread, np.clip((X - mean) / spread, -FARTHEST, FARTHEST), y


def fits():
    samples = {count: scaled(count) for count in PIXELS}
    weights = {}
    rows = {}
    groups_and_degrees = dict.fromkeys((s.groups, s.degree, s.count) for s in hospital.settings())
    for groups, degree, count in groups_and_degrees:
        mean, spread, Z, y = samples[count]
        chosen = hospital.columns_of(groups)
        phi = Monomials(degree)
        Phi = phi(Z[:, chosen])
        W = np.column_stack([logistic_weights(Phi, y, lam) for lam in hospital.LAMS]).astype(np.float32)
        found = [outputs(seed, mean, spread, chosen, phi, W) for seed in PATIENTS]
        for lam, w, scores in zip(hospital.LAMS, W.T, np.transpose(found), strict=True):
            setting = hospital.Setting(groups, degree, lam, count)
            weights[setting] = w
            rows[setting] = scores
        print(groups, degree, count, np.round(np.mean(found[12:], axis=0), 3), flush=True)
    np.savez_compressed(
        FITS,
        weights=np.concatenate([weights[s] for s in hospital.settings()]),
        dice=np.array([rows[s] for s in hospital.settings()], np.float32),
        mean=np.array([s[0] for s in samples.values()]),
        spread=np.array([s[1] for s in samples.values()]),
    )


def outputs(seed, mean, spread, chosen, phi, W):
    """Dice of one patient for each column of weights."""
    scan = hospital.scan_of(seed)
    tumour = hospital.patient_of(seed).tumour
    Z = np.clip((scan.X[:, chosen] - mean[chosen]) / spread[chosen], -FARTHEST, FARTHEST)
    found = np.concatenate([phi(part) @ W for part in np.array_split(Z, 16)]) > 0
    return [dice(column, tumour[scan.mask]) for column in found.T]


def run(groups, degree, count):
    """The rows of one forward selection."""
    mean, spread, Z, y = scaled(count)
    chosen = np.flatnonzero(hospital.columns_of(groups))
    X_out, y_out = hospital.sample(OTHERS, 400)
    Z_out = np.clip((X_out - mean) / spread, -FARTHEST, FARTHEST)
    scans, tumours = hospital.scans_of(OTHERS)
    heads = [np.clip((scan.X - mean) / spread, -FARTHEST, FARTHEST) for scan in scans]
    rows = []
    for step in forward(Z[:, chosen], y, STEPS, degree, (Z_out[:, chosen], y_out)):
        w = logistic_weights(columns(Z[:, chosen], step.terms), y, 1.0)
        found = [
            dice(columns(H[:, chosen], step.terms) @ w > 0, t[scan.mask])
            for H, scan, t in zip(heads, scans, tumours, strict=True)
        ]
        rows.append(
            [
                [int(chosen[i]) for i in step.term],
                round(step.loss, 5),
                round(step.held_out, 5),
                round(float(np.mean(found)), 4),
                step.tried,
            ]
        )
    return rows


def terms():
    kept = {}
    for pool, groups in enumerate(POOLS, 1):
        for degree in (1, 2):
            for count in PIXELS:
                rows = run(groups, degree, count)
                kept[f"{pool} {degree} {count}"] = rows
                print(pool, degree, count, [row[3] for row in rows][3::4], flush=True)
    names = [hospital.short_name(name) for name in hospital.scan_of(0).names]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows, separators=(',', ':'))}" for name, rows in kept.items())
    text = f'{{"names": {json.dumps(names)},\n"runs": {{\n{lines}\n}}}}\n'
    TERMS.write_text(text, encoding="utf-8")


def penalties():
    kept = {}
    for degree in (1, 2):
        for count in PIXELS:
            data = hospital.standard(degree, count)
            kept[f"{degree} {count}"] = {"l1": l1_path(hospital.every_term(degree), *data), "l2": l2_losses(*data)}
            print(degree, count, [row[:3] for row in kept[f"{degree} {count}"]["l1"]][::8], flush=True)
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows, separators=(',', ':'))}" for name, rows in kept.items())
    PENALTIES.write_text(f"{{{text}}}\n", encoding="utf-8")


def l1_path(terms, Phi, y, Phi_out, y_out):
    """[λ, held-out loss, terms kept, while they are few: held-out loss if fitted again, and which] for each λ.

    The largest λ is the first.
    """
    w = np.zeros(len(terms))
    rows = []
    for lam in np.abs(Phi.T @ y).max() * hospital.L1_STEPS:
        w = lasso(Phi, y, lam, start=w, tol=1e-4)
        kept = np.flatnonzero(w)
        few = kept if len(kept) <= STEPS else kept[:0]
        again = fitted_again(few, Phi, y, Phi_out, y_out)
        rows.append([float(f"{lam:.5g}"), loss(y_out, Phi_out @ w), len(kept), again, [terms[j] for j in few]])
    return rows


def fitted_again(few, Phi, y, Phi_out, y_out):
    """The held-out loss of least squares on these columns alone."""
    w = np.linalg.lstsq(Phi[:, few], y, rcond=None)[0]
    return loss(y_out, Phi_out[:, few] @ w)


def loss(y, h):
    return round(float(np.mean((y - h) ** 2)), 5)


def l2_losses(Phi, y, Phi_out, y_out):
    """[λ, held-out loss] for each λ, the largest first."""
    rows = []
    for lam in hospital.L2_LAMS:
        w = solve_primal(Phi.T @ Phi, Phi.T @ y, lam, len(Phi))
        rows.append([float(f"{lam:.5g}"), loss(y_out, Phi_out @ w)])
    return rows


def alike():
    kept = {name: taken(name) for name in LOOK_ALIKES}
    ALIKE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def taken(name):
    """The part of a healthy structure, the only one there is, that is taken for tumour: {groups: part}."""
    people = [patient(seed, look_alikes=(name,)) for seed in PATIENTS]
    mean = Template.of(people[:12])
    tumours = [p.tumour for p in people]
    scans = [pixel_features(p.channels, POOLS[3], mean) for p in people]
    found = {}
    for groups in (POOLS[1], POOLS[2], (*POOLS[1], "symmetry"), POOLS[3]):
        model = Segmenter(groups).fit(scans[:12], tumours[:12])
        others = zip(scans[12:], people[12:], strict=True)
        parts = [np.mean(model.probability(scan)[p.look_alike] > 0.5) for scan, p in others]
        found[", ".join(groups[1:])] = round(float(np.mean(parts)), 3)
    print(name, found)
    return found


if __name__ == "__main__":
    tasks = {"fits": fits, "terms": terms, "penalties": penalties, "alike": alike}
    for task in sys.argv[1:] or tasks:
        tasks[task]()
