"""Where a panel shows what is wrong with a mistake: {exercise.mistake: (title of the panel, its scene)}."""

_IDENTITY = "The identity, term by term"
_BLOW_UP = "Singular K, and λ → 0"
_RECOVER = "Recover w, or stay with the kernel?"
_BIAS = "The penalised bias, with and without centring"
_BUMPS = "h is a sum of Gaussian bumps"
_VOTES = "Who votes for the value at z?"
_BASIS = "RBF basis or RBF kernel?"
_DESCENTS = "Two descents: steps in w, steps in a"
_SGD = "One point at a time"
_PERCEPTRON = "One mistake at a time"
_SMO = "SMO, one pair at a time"
_BOUNDARY = "The boundary: what σ, C and every single point do"
_LOSSES = "Four losses and an outlier"
_CLASSES = "Three losses of classification"
_SPAN = "Gradient descent and the span of the data"
_LAB = "Filter lab"
_WINDOW = "Votes for a direction"
_DENSITY = "Bumps that add up to a density"
_BASKETS = "Two baskets and the sets they share"
_SAMPLES = "Two samples told apart"

SCENES = {
    "feature_maps.tamed.too_wild": ("A linear model draws a curve", "Too wild"),
    "feature_maps.how_many.ordered_products": ("How fast the features multiply", "10 000 inputs, in pairs"),
    "kernel_trick.six_features.no_root_cross": (_IDENTITY, "x₁x₂ and x₂x₁ apart"),
    "kernel_trick.six_features.no_root": ("Do the constants matter?", "Strong penalty"),
    "kernel_trick.perpendicular.no_offset": (_IDENTITY, "Without the offset"),
    "kernel_trick.perpendicular.perpendicular_in_the_plane": (_IDENTITY, "Perpendicular"),
    "kernel_ridge.dual_weights.no_lam": (_BLOW_UP, "λ near 0"),
    "kernel_ridge.predict.no_lam": (_BLOW_UP, "λ near 0"),
    "kernel_ridge.break_even.d_only_rule": (_RECOVER, "n = t = 2D/d"),
    "kernel_ridge.break_even.negative_t": (_RECOVER, "n below D/d"),
    "kernel_ridge.break_even.finite_t": (_RECOVER, "n below D/d"),
    "kernel_ridge.another.other_predictions": (_BLOW_UP, "Another a"),
    "kernel_ridge.huge_weights.too_few_features": (_BLOW_UP, "λ near 0"),
    "kernel_ridge.huge_weights.no_noise": (_BLOW_UP, "No noise"),
    "kernel_ridge.predict_centred.nothing_centred": (_BIAS, "Far to the left"),
    "gaussian_kernel.plateau.bumps_apart": (_BUMPS, "Narrow: four spikes"),
    "gaussian_kernel.first_features.no_factor": ("The infinite feature vector, cut off", "Far out"),
    "gaussian_kernel.hypothesis.no_weights": (_BUMPS, "X₃ turned over"),
    "gaussian_kernel.hypothesis.weights_without_sign": (_BUMPS, "X₃ turned over"),
    "gaussian_kernel.hypothesis.soft_vote": (_VOTES, "Far from all"),
    "gaussian_kernel.two_predictions.swapped": (_BASIS, "Same large λ"),
    "gaussian_kernel.two_predictions.basis_is_the_kernel": (_BASIS, "Same large λ"),
    "gaussian_kernel.two_predictions.kernel_is_the_basis": (_BASIS, "Same large λ"),
    "kernel_logistic.never_sure.still_sure": ("Linear, polynomial and Gaussian boundaries", "A large λ"),
    "kernel_logistic.dual_step.no_lam": (_DESCENTS, "λ pulls it back"),
    "kernel_logistic.unreachable.reachable_part": (_DESCENTS, "Out of reach"),
    "kernel_logistic.sgd_step.a_all_points": (_SGD, "All points at once"),
    "kernel_perceptron.visit.right_point_moves": (_PERCEPTRON, "One repair more"),
    "kernel_perceptron.visit.zero_never_moves": (_PERCEPTRON, "Start"),
    "kernel_perceptron.passes.one_pass_only": (_PERCEPTRON, "Start"),
    "support_vector_machine.price.no_C": (_BOUNDARY, "C huge"),
    "support_vector_machine.offset.all_support_vectors": (_BOUNDARY, "C tiny"),
    "support_vector_machine.smo_step.not_clipped": (_SMO, "A clipped step"),
    "support_vector_machine.smo_step.one_clip_missing": (_SMO, "A clipped step"),
    "support_vector_machine.smo_step.room_only": (_SMO, "A free step"),
    "representer_theorem.dual_weights.hinge": (_CLASSES, "Hinge"),
    "representer_theorem.dual_weights.not_flat": (_CLASSES, "Squared hinge"),
    "representer_theorem.huber_slope.squared_loss": (_LOSSES, "Squared, far up"),
    "representer_theorem.huber_slope.absolute_loss": (_LOSSES, "Absolute, far up"),
    "representer_theorem.huber_slope.zero_beyond": (_LOSSES, "Huber, far up"),
    "representer_theorem.limit.from_zero": (_SPAN, "Outside"),
    "representer_theorem.limit.all_of_the_start": (_SPAN, "Outside"),
    "choosing_a_kernel.choose_sigma.training_error": ("Three errors along σ", "By the training error"),
    "choosing_a_kernel.choose_sigma.largest_error": ("Three errors along σ", "Far too wide"),
    "choosing_a_kernel.decompose.whole_error": ("Forty fits: bias against variance", "Between"),
    "choosing_a_kernel.decompose.about_the_truth": ("Forty fits: bias against variance", "Narrow bumps"),
    "distances_and_clusters.one_point_decides.same_end": ("k-means, one step at a time", "To the end"),
    "distances_and_clusters.three_and_four.not_dbscan": ("Groups where it is dense, groups as a tree", "DBSCAN"),
    "distances_and_clusters.bought_also.count": ("Which products are bought together", "Cosine"),
    "pca_and_density.leave_one_out.nothing_left_out": (_DENSITY, "Narrow"),
    "pca_and_density.leave_one_out.own_bump": (_DENSITY, "Narrow"),
    "pca_and_density.step.no_kernel": ("Digits along two components", "Wide, in the middle"),
    "pca_and_density.same_moments.blind_kernel": (_SAMPLES, "Linear"),
    "pca_and_density.same_moments.too_wide": (_SAMPLES, "σ = 10"),
    "pca_and_density.same_moments.too_few_points": (_SAMPLES, "A shift, few points"),
    "finding_gold.predict.prior": ("The posterior: what is known, and how well", "The prior"),
    "finding_gold.predict.noise_added": ("The posterior: what is known, and how well", "Noisy"),
    "finding_gold.evidence.no_complexity": ("The evidence along σ and noise", "Narrow bumps"),
    "finding_gold.evidence.only_fit": ("The evidence along σ and noise", "Narrow bumps"),
    "finding_gold.gain.sure_gain": ("Gold rush", "A greedy game"),
    "finding_gold.find_gold.too_spread": ("Gold rush", "Far apart"),
    "finding_gold.five_holes.other_sigma": ("Gold rush", "Smooth ground"),
    "images.dot.upside_down": (_LAB, "Dark dots"),
    "images.only_45.other_diagonal": (_LAB, "Wave at 135°"),
    "images.edges.no_abs": (_LAB, "Half is lost"),
    "images.histogram.half_circle": (_WINDOW, "Stripes"),
    "images.histogram.down": (_WINDOW, "An upright edge"),
    "scaling_up.few_landmarks.at_random": ("A few points stand for all", "Seven groups"),
    "scaling_up.few_landmarks.greedy": ("A few points stand for all", "Groups by pivots"),
    "structures.common_pairs.elements": (_BASKETS, "One more in common"),
    "structures.common_pairs.subsets": (_BASKETS, "One more in common"),
    "structures.of_bags.sums": ("A kernel for each structure", "Bags"),
    "structures.one_round.as_sets": ("Vertices tell their neighbours who they are", "A path and a star"),
    "structures.twins.told_apart": ("Vertices tell their neighbours who they are", "One ring, two rings"),
    "structures.all_alignments.diagonal_only": ("All alignments at once", "z comes later"),
}
